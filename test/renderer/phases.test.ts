import { expect, test } from 'vitest'
import { words } from '../../renderer/src/words/words.ts'
import { sourceFiles } from '../unit/structure/source-files.ts'

/** Phases that the engine tells: in progress itself, and in calls that hand it on. */
const told =
  /phase: '([^']+)'|(?:tell|eachList|listsOf|pass|scanLists|bareLists|weighedLists)\((?:[\w.]+, )*'([^']+)'|newLook\('([^']+)'/g

test('every phase of the engine has words for people', () => {
  const phases = sourceFiles(['workers'], ['.ts']).flatMap(({ text }) =>
    [...text.matchAll(told)].map(([, one, other, third]) => one ?? other ?? third ?? ''),
  )
  expect(new Set(phases).size).toBeGreaterThan(20)
  expect([...new Set(phases)].filter((phase) => !(phase in words.work.phases))).toEqual([])
})
