import { expect, it } from 'vitest'
import { SpinSchedule } from '../../../../../workers/algorithms/others/spin-glass/spin-schedule.ts'
import { programOf } from '../../../../support/spins.ts'

const REPLICAS = 32
const energiesAt = (sweep: number): number[] =>
  Array.from({ length: REPLICAS }, (_, i) => ((sweep * 31 + i * 17) % 64) - 32)

it('means are those of the second half alone', () => {
  const schedule = new SpinSchedule(programOf({ method: 'heat-bath', temperature: 1, sweeps: 100, every: 1 }))
  for (let sweep = 1; sweep <= 100; sweep++)
    schedule.measure(sweep, new Array<number>(REPLICAS).fill(sweep <= 50 ? 1000 : -3))
  expect(schedule.means()).toEqual([{ temperature: 1, mean: -3, error: 0 }])
})

it.each([10, 11, 47])('a schedule that resumes after %i sweeps swaps what the whole one does', (stop) => {
  const program = programOf({ method: 'tempering', sweeps: 80, every: 1 })
  const whole = new SpinSchedule(program)
  const first = new SpinSchedule(program)
  let rest = first
  for (let sweep = 1; sweep <= 80; sweep++) {
    whole.measure(sweep, energiesAt(sweep))
    ;(sweep <= stop ? first : rest).measure(sweep, energiesAt(sweep))
    if (sweep === stop) rest = new SpinSchedule(program, first.state)
  }
  expect(rest.state).toEqual(whole.state)
  expect(whole.state.swapped).toBeGreaterThan(0)
})
