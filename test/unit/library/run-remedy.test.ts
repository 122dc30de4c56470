import { expect, test } from 'vitest'
import { ofRun } from '../../../electron/library/run-remedy.ts'

const told = (remedy: string, hasCheckpoint: boolean): string =>
  ofRun({ code: 'engine', what: 'x', remedy }, 'r-1', hasCheckpoint).remedy

test('a run that could be run again is gone on with where a checkpoint was kept, else it starts anew', () => {
  const engine = 'Run it again: a fresh engine starts by itself.'
  expect(told(engine, true)).toBe('Go on with "anticlique run --resume r-1": a fresh engine starts by itself.')
  expect(told(engine, false)).toBe('Run it again with "anticlique run --resume r-1": a fresh engine starts by itself.')
  expect(told('It was removed: run it again, and it is built anew.', true)).toBe(
    'It was removed: go on with "anticlique run --resume r-1", and it is built anew.',
  )
  expect(told('Start it again when you like.', true)).toBe('Go on with "anticlique run --resume r-1" when you like.')
})

test('other remedies stay as they are, and so does the rest of a failure', () => {
  const failure = {
    code: 'usage',
    what: 'Run it again',
    where: 'here',
    remedy: 'Give the device more --memory.',
  } as const
  expect(ofRun(failure, 'r-1', true)).toEqual(failure)
})
