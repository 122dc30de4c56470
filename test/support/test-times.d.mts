export interface TestTime {
  readonly name: string
  readonly durationMs: number
  readonly limitMs: number
}

export function testTimes(file: string): TestTime[]
export function timesReport(times: readonly TestTime[], wholeMs: number): string[]
