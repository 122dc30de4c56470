export interface SourcePage {
  readonly path: string
  readonly group: string
  readonly text: string
}
export function pagesOf(root: string): Promise<readonly SourcePage[]>
export function makeSite(sources: readonly SourcePage[]): {
  readonly files: ReadonlyMap<string, string | Uint8Array>
  readonly faults: readonly string[]
}
