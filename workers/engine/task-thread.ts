import { flushCompileCache } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import type { RangeTask, RangeWorks } from '../algorithms/range-task.ts'
import { settleFailure } from '../base/failure.ts'
import { fromPost, toPost } from '../threads/far-views.ts'
import { END, NO_DEVICE, type ThreadData, type ThreadReply, type ThreadRequest } from '../threads/thread-pool.ts'

type Task = (argument: never) => Promise<unknown>
type Works = RangeWorks<never, unknown, never>

/** The other workers of a run whose workers own ranges. */
const following = (load: () => Promise<Works>) => async (): Promise<Task> => {
  const [{ followRange }, works] = await Promise.all([import('../algorithms/range-task.ts'), load()])
  return (task: RangeTask<never, never>) => followRange(task, works)
}

const tasks: Readonly<Record<string, () => Promise<Task>>> = {
  'anneal-set': async () => (await import('../algorithms/quality/shared-annealing.ts')).annealTask,
  'cool-beside': async () => (await import('../algorithms/quality/cooling-threads.ts')).coolTask,
  'colour-range': following(async () => (await import('../algorithms/others/colouring/colouring.ts')).colouringWorks),
  'distance-range': following(
    async () => (await import('../algorithms/others/distance-mis/distance-mis.ts')).distanceWorks,
  ),
  'find-free': async () => (await import('../algorithms/quality/free-vertices.ts')).freeTask,
  'follow-paper': following(async () => (await import('../algorithms/mg-mis/mg-mis.ts')).paperWorks()),
  'follow-components': following(
    async () => (await import('../algorithms/others/connected-components/connected-components.ts')).componentWorks,
  ),
  'follow-pairs': following(async () => (await import('../algorithms/others/b-matching/b-matching.ts')).pairWorks),
  'follow-cores': following(async () => (await import('../algorithms/others/k-core/k-core.ts')).coreWorks),
  'follow-spins': following(async () => (await import('../algorithms/others/spin-glass/spin-glass.ts')).spinWorks),
  'follow-search': following(async () => (await import('../algorithms/others/bfs/bfs.ts')).searchWorks()),
  'follow-rescan': following(async () => (await import('../algorithms/reproductions/ld-gpu/rescan.ts')).rescanWorks),
  ingest: async () => (await import('../import/build/import-threads.ts')).ingestTask,
  'launch-kernels': async () => (await import('../device/launch-threads.ts')).launchTask,
  'load-lists': async () => (await import('../algorithms/quality/in-memory-graph.ts')).loadListsTask,
  'lattice-bonds': async () => (await import('../algorithms/others/spin-glass/lattice-layout.ts')).bondsTask,
  'match-on-host': async () => (await import('../algorithms/ld-gpu/match-workers.ts')).hostMatchTask,
  'match-scan-on-device': async () => (await import('../algorithms/ld-gpu/scan-on-device.ts')).deviceScanTask,
  'matching-totals': async () => (await import('../algorithms/matching-totals.ts')).totalsTask,
  'pack-pieces': async () => (await import('../graph/packed/pack-graph.ts')).packTask,
  'read-targets': async () => (await import('../algorithms/target-reader.ts')).readTargetsTask,
  'scan-set-on-device': async () => (await import('../algorithms/ecl-mis/device-scan.ts')).deviceTask,
  'scan-set': async () => (await import('../algorithms/ecl-mis/processors.ts')).scanTask,
  'search-conflicts': async () => (await import('../algorithms/quality/conflict-searches.ts')).searchConflictsTask,
  'unpack-piece': async () => (await import('../graph/packed/packed-source.ts')).unpackTask,
  'verify-colours': async () => (await import('../algorithms/others/colouring/check-colouring.ts')).coloursTask,
  'verify-matching': async () => (await import('../verify/verify-matching.ts')).matchingTask,
  'verify-set': async () => (await import('../verify/verify-independent-set.ts')).setTask,
  'weigh-beside': async () => (await import('../algorithms/quality/weighted-searches.ts')).weightedTask,
}

const known = new Set<string>()
const { task: first, device, port = parentPort } = workerData as ThreadData
if (port === null) throw new Error('this file is the entry of a worker thread')
port.on('message', (request: ThreadRequest | typeof END) => {
  if (request === END) process.exit()
  void serve(request).then((reply) => {
    port.postMessage(reply)
    if (known.has(request.task)) return
    known.add(request.task)
    // The process may be ended without notice.
    flushCompileCache()
  })
})
void tasks[first]?.()
if (device !== NO_DEVICE)
  import('./prepare-device.ts').then(({ prepareDevice }) => prepareDevice(device)).catch(() => {})

async function serve({ task, argument }: ThreadRequest): Promise<ThreadReply> {
  try {
    const load = tasks[task]
    if (load === undefined) throw new Error(`no task ${task} here`)
    const work = await load()
    return { type: 'done', result: toPost(await work(fromPost(argument) as never)) }
  } catch (error) {
    return { type: 'failed', ...settleFailure(error) }
  }
}
