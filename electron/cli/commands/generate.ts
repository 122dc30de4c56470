import { InvalidArgumentError, type Command } from 'commander'
import {
  type GeneratorName,
  generatorNames,
  type GeneratorParameter,
  generators,
  type PaperInput,
  paperInputs,
} from '../../../workers/contract/generators.ts'
import { flagOf } from '../../../workers/contract/catalogue.ts'
import { generateRequestSchema, type GenerateRequest } from '../../contract/dataset.ts'
import { integerArgument, seedArgument, sizeArgument, radiusArgument } from '../argument.ts'
import { datasetText } from '../dataset-text.ts'
import { datasetDocument } from '../documents.ts'
import { bytes, count, table } from '../text.ts'
import type { Shell } from '../shell.ts'

const examples = `
Examples:
  anticlique generate rmat --scale 20 --edge-factor 16 --shuffle
  anticlique generate uniform --vertices 1000000 --degree 8 --seed 7
  anticlique generate grid --rows 1500 --columns 1500 --name mesh
  anticlique generate paper:list                inputs of the papers' tables, by name
  anticlique generate paper:rmat22.sym`

export function registerGenerate(program: Command, shell: Shell): void {
  const generate = program
    .command('generate')
    .description('Make a graph by a random model or a pattern; the same options and seed give the same graph.')
    .addHelpText('after', examples)
  for (const model of generatorNames) registerModel(generate, model, shell)
  generate
    .command('paper:list')
    .description("List the inputs of the papers' tables that can be made, or made alike.")
    .action(() => shell.answer({ inputs: paperInputs }, paperTable()))
  for (const input of paperInputs) registerPaper(generate, input, shell)
}

function registerModel(generate: Command, model: GeneratorName, shell: Shell): void {
  const { explain, parameters } = generators[model]
  const command = generate.command(model).description(explain)
  for (const [name, parameter] of Object.entries<GeneratorParameter>(parameters)) {
    const flags = `${flagOf(name)} <n>`
    if (parameter.standard === undefined) command.requiredOption(flags, parameter.explain, numberArgument(parameter))
    else command.option(flags, parameter.explain, numberArgument(parameter), parameter.standard)
  }
  common(command).action(({ memory, ...options }: Record<string, unknown>) =>
    make(generateRequestSchema.parse({ ...options, memoryBytes: memory, model }), shell),
  )
}

function registerPaper(generate: Command, input: PaperInput, shell: Shell): void {
  common(generate.command(`paper:${input.name}`, { hidden: true }))
    .description(`${input.paper}: ${input.remark}.`)
    .action(({ memory, ...options }: CommonOptions) => {
      const { vertices, arcs } = input
      shell.note(
        `${input.name}: ${count(vertices)} vertices, ${count(arcs)} arcs in the paper, ${bytes(graphBytes(input))} as a graph file; ${input.remark}.`,
      )
      return make({ ...input.choice, name: input.name, ...options, memoryBytes: memory }, shell)
    })
}

interface CommonOptions {
  readonly seed: number
  readonly shuffle?: boolean
  readonly name?: string
  readonly memory?: number
  readonly threads?: number
}

const common = (command: Command): Command =>
  command
    .option('--seed <n>', 'draw other edges, where the model draws any', seedArgument, 1)
    .option('--shuffle', 'put the ids in random order, as Graph500 does')
    .option('--name <name>', 'what to call the dataset (default: made from the options)')
    .option('--memory <size>', 'memory for it, such as 512MiB (default: a quarter of what there is)', sizeArgument)
    .option('--threads <number>', 'threads that work on it (default: as many as cores)', integerArgument(1, 256))

async function make(request: GenerateRequest, shell: Shell): Promise<void> {
  await shell.open(async ({ service }) => {
    const { dataset } = await service.call('datasets.generate', request, shell.job)
    shell.answer({ dataset: datasetDocument(dataset) }, datasetText(dataset))
  })
}

function numberArgument({ kind, least, most }: GeneratorParameter): (text: string) => number {
  if (kind === 'integer') return integerArgument(least, most)
  return (text) => {
    const value = Number(text)
    if (/^\d+(\.\d+)?$/.test(text) && value >= least && value <= most) return value
    throw new InvalidArgumentError(`Write a number from ${least} to ${most}.`)
  }
}

const graphBytes = ({ vertices, arcs }: PaperInput): number => 32 + 8 * vertices + 4 * arcs

function paperTable(): string {
  return table(
    'input | vertices> | arcs> | graph file> | model | paper',
    paperInputs.map((input) => [
      `paper:${input.name}`,
      count(input.vertices),
      count(input.arcs),
      bytes(graphBytes(input)),
      input.choice.model,
      input.paper,
    ]),
  )
}

const sampleExamples = `
Which places can hold a transmitter, if no two may be closer than 10 km?
  anticlique sample cities --radius-km 10
  anticlique run cities-10km --verify

The places come from GeoNames (geonames.org), CC BY 4.0.`

export function registerSample(program: Command, shell: Shell): void {
  program
    .command('sample')
    .description('Build a graph from real data that comes along.')
    .command('cities')
    .description('135,233 places of the world; two are joined when they are closer than the radius, weight = distance.')
    .option('--radius-km <km>', 'join places whose great-circle distance is below this', radiusArgument, 10)
    .option('--name <name>', 'what to call the dataset (default: cities-<km>km)')
    .addHelpText('after', sampleExamples)
    .action((options: { radiusKm: number; name?: string }) =>
      shell.open(async ({ service }) => {
        const { dataset } = await service.call('datasets.sample', { sample: 'cities', ...options }, shell.job)
        shell.answer({ dataset: datasetDocument(dataset) }, datasetText(dataset))
      }),
    )
}
