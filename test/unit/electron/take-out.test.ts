import { expect, test } from 'vitest'
import { nameOf } from '../../../electron/host/take-out.ts'

test.each([
  ['ids', 'mesh.txt'],
  ['npy', 'mesh.npy'],
  ['aggregate', 'mesh.aggregate.csv'],
  ['quotient', 'mesh.quotient.mtx'],
] as const)('a result as %s is saved as %s, as the command line calls it', (format, name) =>
  expect(nameOf({ what: 'result', run: 'latest', stem: 'mesh', format })).toBe(name),
)
