import { type Failure, inputFailure } from '../../base/failure.ts'

/** The number of the graph of a file of several that is asked for, from 1; null for the only one. @throws Failure (input) */
export function graphNumber(file: string, member: string | undefined): number | null {
  if (member === undefined) return null
  const wanted = Number(member)
  if (Number.isInteger(wanted) && wanted >= 1) return wanted
  throw inputFailure(file, `the graph "${member}" is no number from 1`, 'Write 1 for the first one.')
}

/** The failure of a file that has not the graph that is asked for, or several of which one has to be chosen; null: it has it. */
export function otherNumber(file: string, graphs: number, wanted: number | null): Failure | null {
  const there = `there are ${graphs} graphs in this file`
  if (wanted !== null) return wanted <= graphs ? null : inputFailure(file, there, 'Name one of them.')
  if (graphs === 1) return null
  const remedy = 'Name one by its number, such as 1.'
  return inputFailure(file, graphs === 0 ? 'there is no graph in this file' : there, remedy, [
    { action: 'choose', option: 'member' },
  ])
}
