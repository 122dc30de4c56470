import { rmSync } from 'node:fs'
import { type Command, Option } from 'commander'
import type { z } from 'zod'
import { type AlgorithmName, algorithmEntry, algorithmNames } from '../../../workers/contract/catalogue.ts'
import { isOfPairs } from '../../../workers/contract/result.ts'
import { Failure } from '../../../workers/base/failure.ts'
import type { Dataset } from '../../contract/dataset.ts'
import { runRequestSchema } from '../../contract/run.ts'
import { inputName } from '../../library/leftovers.ts'
import { integerArgument, runDevicesArgument } from '../argument.ts'
import type { documents } from '../documents.ts'
import { count, table } from '../text.ts'
import type { Shell, Workplace } from '../shell.ts'
import { runToEnd } from './run.ts'

/** A level that saves less is not worth its space, as in Explore. */
const LEAST_SAVED = 0.05

const joins = (name: AlgorithmName): boolean => {
  const entry = algorithmEntry(name)
  return entry?.kind === 'matching' || entry?.values?.dense === true
}
const choices = algorithmNames.filter(joins)
const standard = choices.find((name) => algorithmEntry(name)?.kind === 'matching')!

interface CoarsenOptions {
  readonly algorithm: AlgorithmName
  readonly devices: string
  readonly levels: number
  readonly vertices: number
  readonly name?: string
}

type Level = z.infer<typeof documents.coarsen>['levels'][number]

const examples = `
Examples:
  anticlique coarsen mesh --levels 4
  anticlique coarsen mesh --algorithm mis2-aggregates --vertices 1000`

export function register(program: Command, shell: Shell): void {
  program
    .command('coarsen')
    .description('Make coarser and coarser graphs: find a matching, contract its pairs, begin again.')
    .argument('<dataset>', 'a dataset of the library')
    .addOption(
      new Option('--algorithm <name>', 'what says which vertices become one').choices(choices).default(standard),
    )
    .option('--devices <list>', 'compute on cpu:0, gpu:0, ..., or auto', runDevicesArgument, 'auto')
    .option('--levels <n>', 'at most so many levels', integerArgument(1, 64), 32)
    .option('--vertices <n>', 'no further once a level has so many or fewer', integerArgument(1, 2 ** 32), 200)
    .option('--name <name>', 'what the levels are called, before their number (default: the name of the dataset)')
    .addHelpText('after', examples)
    .action((dataset: string, options: CoarsenOptions) =>
      shell.open(async (place) => {
        const levels = await coarsen(dataset, options, place, shell)
        shell.answer({ dataset, levels }, levelsText(levels))
      }),
    )
}

async function coarsen(
  dataset: string,
  { algorithm, devices, levels: most, vertices: fewest, name = dataset }: CoarsenOptions,
  place: Workplace,
  shell: Shell,
): Promise<readonly Level[]> {
  const { service } = place
  const levels: Level[] = []
  let { dataset: fine } = await service.call('datasets.get', { name: dataset })
  while (levels.length < most && fine.vertices > fewest) {
    const request = runRequestSchema.parse({ dataset: fine.name, algorithm, device: devices })
    const run = await runToEnd((await service.call('runs.start', { request })).run, place, shell)
    if (run.failure !== null) throw new Failure(run.failure)
    const { result } = run.record!.outcome
    const nodes = isOfPairs(result) ? fine.vertices - result.pairs : result.size
    if (nodes > (1 - LEAST_SAVED) * fine.vertices) break
    const level = levels.length + 1
    fine = await contracted(run.id, `${name}-${level}`, place, shell)
    levels.push({ level, dataset: fine.name, vertices: fine.vertices, edges: fine.arcs / 2, run: run.id })
  }
  return levels
}

async function contracted(run: string, name: string, { service, library }: Workplace, shell: Shell): Promise<Dataset> {
  // Swept when this program is killed, unless its import can be resumed.
  const source = library.datasetFolder({ folder: inputName() })
  try {
    await service.call('export', { run, format: 'quotient', output: source }, shell.job)
    const options = {
      source,
      name,
      sourceName: `run ${run}, contracted`,
      merge: 'sum',
    } as const
    return (await service.call('datasets.import', options, shell.job)).dataset
  } finally {
    rmSync(`${source}.run.json`, { force: true })
    library.discardInput(source)
  }
}

function levelsText(levels: readonly Level[]): string {
  if (levels.length === 0) return 'No level: the graph is small already, or nothing is saved.'
  return table(
    'level> | dataset | vertices> | edges> | run',
    levels.map(({ level, dataset, vertices, edges, run }) => [
      String(level),
      dataset,
      count(vertices),
      count(edges),
      run,
    ]),
  )
}
