import { misFirst } from '../../kernels/mis-first.ts'
import { misMembers } from '../../kernels/mis-members.ts'
import type { DeviceBuffer, Fill } from '../device/device.ts'
import type { HeadStore } from '../device/head-store.ts'
import type { Stretch } from '../exchange/shared-states.ts'
import type { Batch } from '../graph/batches.ts'
import type { TailStore } from '../device/tail-store.ts'
import { UNDECIDED, isDecidedWord, stateOf, stateWords, VERTICES_PER_WORD } from '../graph/vertex-states.ts'
import type { JobContext } from '../job.ts'
import { throwIfCancelled } from '../job.ts'
import type { RoundCount } from '../jobs.ts'
import { decideRest, tailsWanted } from './decide-rest.ts'
import { decideFront } from './front-vertices.ts'
import type { Part, SweepOutcome } from './ecl-mis.ts'
import { resultFollows } from './ecl-mis.ts'
import type { MisWorkspace } from './mis-workspace.ts'
import { allocateWorkspace, releaseWorkspace } from './mis-workspace.ts'

/** Launches over the heads of a batch before the host looks: chains within it are mostly shorter. */
const LAUNCHES = 3

/** What a part needs to work out of core. */
export interface OutOfCore {
  readonly heads: HeadStore
  readonly tails: TailStore
  readonly tailOffsets: Uint32Array
}

/**
 * A part whose slabs do not fit its device: only heads go there, batch after batch, in the order of the view. They decide nearly
 * every vertex; the host decides the others at once, and reads of the tails what these need. So each batch is settled before the
 * next begins, and a worker alone needs one pass.
 */
export async function sweepHeads(
  part: Part,
  { heads, tails, tailOffsets }: OutOfCore,
  job: JobContext,
  finish: (space: MisWorkspace, left: number) => Promise<void>,
): Promise<SweepOutcome> {
  const { device, store, batches, vertices, exchange } = part
  await device.prepare([misFirst, misMembers])
  const states = new Uint32Array(Math.max(1, stateWords(vertices)))
  if (part.states !== undefined) states.set(part.states)
  decideFront(states, store.front)
  const space = await allocateWorkspace(device, batches, vertices, states)
  if (part.positions !== undefined) await store.prepareBehind()
  const open = new Set(batches.filter((batch) => hasUndecided(states, batch)))
  if (heads.staysOnDevice) {
    await heads.expect([...open])
    for (const batch of open) await heads.load(batch)
  }
  const waitedMs = heads.readMs + tails.readMs
  await device.takeKernelMs()
  await exchange.ready(space.states)
  const startMs = performance.now()
  const newer = new Newer()
  const readStates = async (): Promise<Uint32Array> => {
    await newer.bring(device, space.states, states)
    return device.read(space.states, 0, stateWords(vertices))
  }
  if (part.positions !== undefined && resultFollows(part)) store.expectBehind(0, vertices - store.front, part.positions)
  const roundCounts: RoundCount[] = []
  let left = vertices
  let passes = 0
  for (let before = Infinity; left > (passes > 0 ? part.residual : 0) && left < before; passes++) {
    before = left
    await heads.expect([...open])
    let own = 0
    for (const batch of open) {
      throwIfCancelled(job.signal)
      const loaded = await heads.load(batch)
      await exchange.catchUp(undefined, batch, 'step')
      newer.add(exchange.learn(states))
      await newer.bring(device, space.states, states)
      await part.trace.span('kernel', `heads ${batch.index}`, async () => {
        const params = { first: batch.first, count: batch.count }
        // A processor goes from front to back: once is enough.
        for (let launch = 0; launch < (device.sharesMemory ? 1 : LAUNCHES); launch++)
          device.launch(misFirst, batch.count, params, { states: space.states, heads: loaded.buffer })
        const words = await device.read(space.states, batch.first / VERTICES_PER_WORD, stateWords(batch.count))
        states.set(words, batch.first / VERTICES_PER_WORD)
        const decide = async (): Promise<number> => {
          const entries = { heads: loaded.words, tailOffsets, tails }
          await tails.expect((want) => tailsWanted(batch, entries, states, want))
          return decideRest(batch, entries, states)
        }
        let undecided = await decide()
        // The bulk was decided beside the others' batches of this step; what waits for those before it goes on from here.
        if (undecided > 0) {
          await exchange.catchUp(undefined, batch, 'batch')
          newer.add(exchange.learn(states))
          undecided = await decide()
        }
        exchange.giveFrom(states, batch)
        newer.add({ first: batch.first / VERTICES_PER_WORD, words: words.length })
        own += undecided
        if (undecided === 0) open.delete(batch)
      })
      await part.afterStep?.(false, readStates)
      job.progress({
        phase: 'sweep',
        done: batch.first + batch.count,
        total: vertices,
        unit: 'vertices',
        round: passes + 1,
      })
    }
    await newer.bring(device, space.states, states)
    left = await exchange.publish(space.states, own)
    exchange.learn(states)
    roundCounts.push({ round: passes + 1, undecided: own })
    await part.afterStep?.(true, readStates)
  }
  await finish(space, left)
  const computeMs = performance.now() - startMs - (heads.readMs + tails.readMs - waitedMs)
  const kernelMs = await device.takeKernelMs()
  releaseWorkspace(device, space)
  return { rounds: roundCounts.length, roundCounts, passes, computeMs, kernelMs }
}

function hasUndecided(states: Uint32Array, { first, count }: Batch): boolean {
  const last = first + count
  for (let p = first; p < last; p++) {
    if (p % VERTICES_PER_WORD === 0 && isDecidedWord(states[p / VERTICES_PER_WORD]!)) p += VERTICES_PER_WORD - 1
    else if (stateOf(states, p) === UNDECIDED) return true
  }
  return false
}

/** Words of the states that are newer on the host than on the device; what lies between them is as new on both. */
class Newer {
  #first = Infinity
  #end = 0

  add({ first, words }: Stretch): void {
    if (words === 0) return
    this.#first = Math.min(this.#first, first)
    this.#end = Math.max(this.#end, first + words)
  }

  /** Brings the device's states up to the host's, in one copy. */
  async bring(device: Part['device'], buffer: DeviceBuffer, states: Uint32Array): Promise<void> {
    const first = this.#first
    const words = this.#end - first
    if (words <= 0) return
    this.#first = Infinity
    this.#end = 0
    const fill: Fill = (bytes, at) => bytes.set(new Uint8Array(states.buffer, 4 * first + at, bytes.length))
    await device.fill(buffer, words, fill, first)
  }
}
