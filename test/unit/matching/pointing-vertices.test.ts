import { describe, expect, it } from 'vitest'
import { ThreadBoard, boardOf, isMatched } from '../../../workers/algorithms/ld-gpu/from-disk/host-state.ts'
import { PointingVertices } from '../../../workers/algorithms/ld-gpu/from-disk/pointing-vertices.ts'
import { NO_ENTRY } from '../../../workers/graph/oriented-view.ts'

const VERTICES = 5040

function emptyBoard(): ThreadBoard {
  return new ThreadBoard(boardOf(VERTICES, { workers: 1, threads: 1 }))
}

const match = ({ matched, stamps }: ThreadBoard, v: number, round: number): void => {
  stamps[v] = round
  matched[v >>> 5]! |= 1 << (v & 31)
}

describe('vertices that point', () => {
  it('see in one pass whom those before them were matched to, however long the chain', () => {
    const board = emptyBoard()
    const pointing = new PointingVertices(VERTICES)
    for (let v = 1; v < VERTICES; v++) pointing.add(v, v - 1)
    match(board, 0, 1)
    const met: number[][] = []
    pointing.pass(board, (v, round) => {
      met.push([v, round])
      match(board, v, round + 1)
      return NO_ENTRY
    })
    expect(met).toEqual(Array.from({ length: VERTICES - 1 }, (_, i) => [i + 1, i + 1]))
    expect(pointing.count).toBe(0)
  })

  it('keep their places, with new targets for those that go on', () => {
    const board = emptyBoard()
    const pointing = new PointingVertices(VERTICES)
    for (let v = 0; v < VERTICES; v += 2) pointing.add(v, v + 1)
    for (let v = 1; v < VERTICES; v += 6) match(board, v, 7)
    const visited: number[] = []
    pointing.pass(board, (v, round) => {
      expect(round).toBe(7)
      visited.push(v)
      return v % 4 === 0 ? NO_ENTRY : v + 3
    })
    expect(visited).toEqual(Array.from({ length: Math.ceil(VERTICES / 6) }, (_, i) => 6 * i))
    const gone = visited.filter((v) => v % 4 === 0)
    expect(pointing.count).toBe(VERTICES / 2 - gone.length)
    for (const v of [...Array(VERTICES).keys()]) if (!isMatched(board, v)) match(board, v, 9)
    const last: number[] = []
    pointing.pass(board, (v) => {
      last.push(v)
      return NO_ENTRY
    })
    expect(last).toEqual([...Array(VERTICES / 2).keys()].map((i) => 2 * i).filter((v) => !gone.includes(v)))
  })
})
