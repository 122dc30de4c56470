import type { Command } from 'commander'
import { runSummary, runDocument } from '../documents.ts'
import { runTable, runText } from '../run-text.ts'
import type { Shell, Workplace } from '../shell.ts'
import { existsSync, readFileSync } from 'node:fs'
import { asFailure, Failure, inputFailure } from '../../../workers/base/failure.ts'
import { runRecordSchema, type RunRecord } from '../../contract/run.ts'
import { outputArgument, runDevicesArgument } from '../argument.ts'
import { exported } from './results.ts'
import { runToEnd } from './run.ts'

const WHICH = 'its id, the beginning of its id, its name, or "latest"'

export function register(program: Command, shell: Shell): void {
  registerRerun(program, shell)
  registerRuns(program, shell)
}

function registerRuns(program: Command, shell: Shell): void {
  const runs = program.command('runs').description('List, show or remove the runs of the library.')
  runs
    .command('list', { isDefault: true })
    .description('List all runs, the newest first.')
    .action(() => shell.ask('runs.list', {}, ({ runs: all }) => [{ runs: all.map(runSummary) }, runTable(all)]))
  runs
    .command('show')
    .description('Show one run; with --json its whole record, enough to repeat it.')
    .argument('<run>', WHICH)
    .action((text: string) =>
      shell.ask('runs.get', { run: text }, ({ run }) => [
        { run: { ...runSummary(run), request: run.request, record: run.record } },
        runText(run),
      ]),
    )
  runs
    .command('remove')
    .description('Delete a finished run with its set and record for good.')
    .argument('<run>', WHICH)
    .action((text: string) =>
      shell.ask('runs.remove', { run: text }, ({ run }) => [{ removed: run.id }, `Removed run ${run.id}.`]),
    )
}

const rerunExamples = `
The dataset is the one of the library with the graph of the record, whatever its name; else the file that it came from is imported
again, with the defaults. Devices, workers and memory may be others than before: the hash is the same.

Examples:
  anticlique rerun set.txt.run.json
  anticlique rerun latest --devices cpu:0`

interface RerunOptions {
  readonly devices: string
  readonly output?: string
}

function registerRerun(program: Command, shell: Shell): void {
  program
    .command('rerun')
    .description('Repeat a run by its record, and compare the hash: 3 where it is another.')
    .argument('<record or run>', 'a file .run.json beside an exported result, or a run of the library')
    .option(
      '--devices <list>',
      'compute on cpu:0, gpu:0, ..., several with commas, or auto',
      runDevicesArgument,
      'auto',
    )
    .option('--output <file>', 'write the result to this file', outputArgument)
    .addHelpText('after', rerunExamples)
    .action((of: string, { devices, output }: RerunOptions) =>
      shell.open(async (place) => {
        const record = existsSync(of) ? readRecord(of) : (await place.service.call('runs.record', { run: of })).record
        const dataset = await datasetOf(record, place, shell)
        // Where traces and checkpoints go is no part of what was computed.
        const { traceFile: _, checkpointEveryMs: __, ...asked } = record.request
        const request = { ...asked, dataset, device: devices }
        const { run: queued } = await place.service.call('runs.start', { request })
        const run = await runToEnd(queued, place, shell)
        const files = output === undefined ? [] : await exported(run, output, place, shell)
        const rerun = { of: record.run, hash: record.hash, same: run.hash === record.hash }
        const word = rerun.same ? `the hash is that of run ${record.run}` : `run ${record.run} had ${record.hash}`
        shell.answer({ ...runDocument(run, files), rerun }, `${runText(run, files)}\n  rerun  ${word}`)
        if (run.failure !== null) throw new Failure(run.failure)
        if (!rerun.same) throw otherHash(record, run.hash, of)
      }),
    )
}

function readRecord(path: string): RunRecord {
  let document: unknown
  try {
    document = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw asFailure(error, path)
  }
  const { data, error } = runRecordSchema.safeParse(document)
  if (data !== undefined) return data
  throw inputFailure(
    path,
    `this is no record of a run${error === undefined ? '' : ` (${error.issues[0]?.path.join('.') || 'not an object'})`}`,
    'Name the file .run.json that was written beside a result.',
  )
}

/** The name of the dataset that has the very graph of the record. @throws Failure (input) where there is none */
async function datasetOf({ dataset }: RunRecord, { service, library }: Workplace, shell: Shell): Promise<string> {
  const here = library.datasets.list().find(({ checksum }) => checksum === dataset.checksum)
  if (here !== undefined) return here.name
  const gone = (what: string, remedy: string): Failure => inputFailure(dataset.source, what, remedy)
  if (!existsSync(dataset.source))
    throw gone(`no dataset has the graph of "${dataset.name}" any more`, 'Make or import it again, with any name.')
  const args = { source: dataset.source, name: `${dataset.name}-${dataset.checksum.slice(0, 8)}` }
  const { dataset: again } = await service.call(
    'datasets.import',
    { ...args, reuse: true, link: 'possible' },
    shell.job,
  )
  if (again.checksum === dataset.checksum) return again.name
  await service.call('datasets.remove', { name: again.name })
  throw gone(
    `this file does not give the graph of the record, whose checksum is ${dataset.checksum}`,
    'It was changed, or imported with options: import it as it was, with any name.',
  )
}

function otherHash({ hash, request }: RunRecord, found: string | null, where: string): Failure {
  const lists = ['columnFile', 'keepFile', 'excludeFile'].filter((name) => Object.hasOwn(request, name))
  return new Failure({
    code: 'verification',
    where,
    what: `the result has the hash ${found}, and the record says ${hash}`,
    remedy:
      lists.length > 0
        ? 'Are the files of its options as they were?'
        : 'A search until a time is up depends on the machine; anything else is a fault.',
  })
}
