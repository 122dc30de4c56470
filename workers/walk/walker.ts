import { crc32 } from 'node:zlib'
import { Failure, asFailure } from '../failure.ts'
import { HEAD_WIDTH } from '../graph/oriented-view.ts'
import { VERTICES_PER_WORD } from '../graph/vertex-states.ts'
import { ViewFile } from '../graph/view-file.ts'
import type { TraceSpan } from '../trace.ts'
import { Trace } from '../trace.ts'
import { ShareWalk } from './share-walk.ts'
import type { Duty, WalkTask } from './walk-board.ts'
import { WalkBoard } from './walk-board.ts'
import type { ReadKind, WalkMemory } from './walk-memory.ts'
import { fillFrontHeads, readKinds } from './walk-memory.ts'
import { PIECES, groupRange, pieceRange, shareRange } from './walk-plan.ts'

/** Bytes that are read, or checked, between two looks at whether anybody wants them. */
const READ_BYTES = 1 << 20
const PAGE_BYTES = 4096
/** A word of 16 vertices that are in. */
const ALL_IN = 0x55555555
/** A thread that has nothing to do looks again after so long, at the latest; one whose vertices wait for others, at once. */
const LOOK_MS = 50
const RETRY_MS = 0.05

export interface WalkOpen {
  readonly memory: WalkMemory
  /** This thread, of so many. */
  readonly walker: number
  readonly walkers: number
  readonly duty: Duty
  readonly path: string
  readonly traced: boolean
}

/** What one thread does in a walk: whatever the board has for it, until everything is decided or nobody wants it any more. */
export class Walker {
  readonly #open: WalkOpen
  readonly #memory: WalkMemory
  readonly #board: WalkBoard
  readonly #trace: Trace
  readonly #view: ViewFile
  readonly #walk: ShareWalk
  /** Vertices of each share that are left over, by the share's place among all. */
  readonly #waiting = new Map<number, number>()

  constructor(open: WalkOpen) {
    this.#open = open
    this.#memory = open.memory
    this.#board = new WalkBoard(open.memory)
    this.#trace = new Trace(open.traced)
    const view = ViewFile.open(open.path)
    if (view === undefined) throw new Error('the view is gone')
    this.#view = view
    const { states, tailOffsets } = open.memory
    const tally = { waits: (p: number) => this.#waits(p), decided: (p: number) => this.#decided(p) }
    this.#walk = new ShareWalk({
      states,
      tailOffsets,
      readTails: (at, bytes) => this.#read('tails', at, bytes),
      tailBytes: view.header.tails.bytes,
      path: open.path,
      tally,
      isOver: () => this.#board.isOver,
    })
    this.#touch()
  }

  /** @returns what was done, for the trace */
  work(): readonly TraceSpan[] {
    try {
      this.#workUntilDone()
    } catch (error) {
      const { path } = this.#open
      const known = asFailure(error, path)
      const bug = { code: 'fault', where: path, what: String(error), remedy: 'Please report it.' } as const
      this.#board.fail(known instanceof Failure ? known.toValue() : bug)
    } finally {
      this.#view.close()
    }
    return this.#trace.spans
  }

  #workUntilDone(): void {
    const board = this.#board
    while (!board.isOver && !board.isDone) {
      const signal = board.signal
      const task = board.claim(this.#open.duty)
      if (task !== undefined) this.#do(task)
      this.#walk.retry()
      if (task === undefined) board.wait(signal, this.#walk.leftOver.isEmpty ? LOOK_MS : RETRY_MS)
    }
  }

  #do(task: WalkTask): void {
    switch (task.kind) {
      case 'heads':
        return this.#readHeads(task)
      case 'share':
        return this.#trace.span('kernel', `rest ${task.group}`, () => this.#walkShare(task))
      case 'behind':
        return this.#readNames(task)
      case 'members':
        return this.#trace.span('kernel', 'members', () => this.#noteMembers(task))
    }
  }

  #readHeads({ group, piece, turn }: Extract<WalkTask, { kind: 'heads' }>): void {
    const { plan, sums } = this.#memory
    const { first, end } = pieceRange(plan, group, piece)
    const heads = this.#board.headsOf(turn)
    if (piece === 0) fillFrontHeads(this.#memory, heads, group)
    const base = groupRange(plan, group).first
    const words = heads.subarray(HEAD_WIDTH * (first - base), HEAD_WIDTH * (end - base))
    sums[PIECES * group + piece] = this.#readChecked('heads', 4 * HEAD_WIDTH * (first - plan.front), words)
    this.#board.headsDone(group)
  }

  #walkShare({ group, share, turn }: Extract<WalkTask, { kind: 'share' }>): void {
    const { plan } = this.#memory
    const at = plan.sharesOfGroup * group + share
    this.#waiting.set(at, 1)
    this.#walk.walk(shareRange(plan, group, share), this.#board.headsOf(turn), groupRange(plan, group).first)
    if (this.#board.isOver) return
    this.#board.shareWalked(group)
    this.#oneLess(at)
  }

  #readNames({ group, piece }: Extract<WalkTask, { kind: 'behind' }>): void {
    const { plan, sums } = this.#memory
    const { first, end } = pieceRange(plan, group, piece)
    const base = groupRange(plan, group).first
    const names = this.#board.namesOf(group).subarray(first - base, end - base)
    sums[PIECES * (plan.groups + group) + piece] = this.#readChecked('behind', 4 * (first - plan.front), names)
    this.#board.behindDone(group)
  }

  /** Which of the members stand behind the front. */
  #noteMembers({ group, piece }: Extract<WalkTask, { kind: 'members' }>): void {
    const { plan, states, members } = this.#memory
    const { first, end } = pieceRange(plan, group, piece)
    const base = groupRange(plan, group).first
    const names = this.#board.namesOf(group)
    for (let word = Math.floor(first / VERTICES_PER_WORD); VERTICES_PER_WORD * word < end; word++) {
      for (let left = states[word]! & ALL_IN; left !== 0; left &= left - 1) {
        const p = VERTICES_PER_WORD * word + ((31 - Math.clz32(left & -left)) >>> 1)
        // The first word may begin before the front, the last one end behind the vertices.
        if (p >= first && p < end) Atomics.or(members, names[p - base]! >>> 5, 1 << (names[p - base]! & 31))
      }
    }
    this.#board.membersNoted(group)
  }

  #readChecked(kind: ReadKind, at: number, words: Uint32Array): number {
    const bytes = new Uint8Array(words.buffer, words.byteOffset, words.byteLength)
    let sum = 0
    for (let done = 0; done < bytes.length && !this.#board.isOver; done += READ_BYTES) {
      const part = bytes.subarray(done, Math.min(bytes.length, done + READ_BYTES))
      this.#read(kind, at + done, part)
      sum = crc32(part, sum)
    }
    return sum
  }

  #read(kind: ReadKind, at: number, bytes: Uint8Array): void {
    this.#trace.span('disk read', kind, () => this.#view.read(this.#view.header[kind], at, bytes))
    this.#memory.bytesRead[readKinds.length * this.#open.walker + readKinds.indexOf(kind)]! += bytes.length
  }

  #waits(p: number): void {
    const at = this.#shareOf(p)
    this.#waiting.set(at, this.#waiting.get(at)! + 1)
  }

  #decided(p: number): void {
    this.#oneLess(this.#shareOf(p))
  }

  #shareOf(p: number): number {
    const { first, shareVertices } = this.#memory.plan
    return Math.floor((p - first) / shareVertices)
  }

  /** A share is decided when it is walked and nothing of it is left over. */
  #oneLess(share: number): void {
    const left = this.#waiting.get(share)! - 1
    if (left > 0) return void this.#waiting.set(share, left)
    this.#waiting.delete(share)
    this.#board.shareDecided(Math.floor(share / this.#memory.plan.sharesOfGroup))
  }

  /** Memory comes from the system page by page, when it is first written to: better now than when the disk has something. */
  #touch(): void {
    const { heads, behind, members } = this.#memory
    const { walker, walkers } = this.#open
    for (const words of [new Int32Array(heads.buffer), new Int32Array(behind.buffer), members]) {
      const step = (walkers * PAGE_BYTES) / 4
      for (let at = (walker * PAGE_BYTES) / 4; at < words.length; at += step) Atomics.or(words, at, 0)
    }
  }
}

const WARM_VERTICES = 4096
const WARM_UPS = 12
let isWarm = false

/** Has the machine code of the walk made before there is work for it: a small random graph is walked again and again. */
export function warmUp(): void {
  if (isWarm) return
  isWarm = true
  const heads = new Uint32Array(HEAD_WIDTH * WARM_VERTICES)
  const tailOffsets = new Uint32Array(WARM_VERTICES + 1)
  const tails: number[] = []
  let random = 1
  const entryBefore = (p: number): number => (random = Math.imul(random, 0x45d9f3b) >>> 0) % p
  for (let p = VERTICES_PER_WORD; p < WARM_VERTICES; p++) {
    heads.fill(entryBefore(p), HEAD_WIDTH * p, HEAD_WIDTH * (p + 1))
    for (let i = 0; i < p % 8; i++) tails.push(entryBefore(p))
    tailOffsets[p + 1] = tails.length
  }
  const bytes = new Uint8Array(Uint32Array.from(tails).buffer)
  const states = new Uint32Array(WARM_VERTICES / VERTICES_PER_WORD)
  const tally = { waits: () => {}, decided: () => {} }
  const readTails = (at: number, into: Uint8Array): void => into.set(bytes.subarray(at, at + into.length))
  const input = { states, tailOffsets, readTails, tailBytes: bytes.length, path: '', tally, isOver: () => false }
  const walk = new ShareWalk(input)
  for (let i = 0; i < WARM_UPS; i++) {
    states.fill(0)
    states[0] = 0x66666666
    walk.walk({ first: 0, end: WARM_VERTICES }, heads, 0)
  }
}
