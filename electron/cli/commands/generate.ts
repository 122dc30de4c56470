import { Option, type Command } from 'commander'
import {
  type GeneratorName,
  generatorNames,
  type GeneratorParameter,
  generators,
  type PaperInput,
  paperInputs,
} from '../../../workers/contract/generators.ts'
import { flagOf } from '../../../workers/contract/catalogue.ts'
import { generateRequestSchema, type Dataset } from '../../contract/dataset.ts'
import { integerArgument, numberArgument, radiusArgument, seedArgument, sizeArgument } from '../argument.ts'
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

export function register(program: Command, shell: Shell): void {
  registerGenerate(program, shell)
  registerSample(program, shell)
}

function registerGenerate(program: Command, shell: Shell): void {
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
    const option = new Option(flags, parameter.explain).argParser(parameterArgument(parameter))
    command.addOption(
      parameter.standard === undefined ? option.makeOptionMandatory() : option.default(parameter.standard),
    )
  }
  common(command).action(({ memory, ...options }: Record<string, unknown>) =>
    shell.ask('datasets.generate', generateRequestSchema.parse({ ...options, memoryBytes: memory, model }), shown),
  )
}

function registerPaper(generate: Command, input: PaperInput, shell: Shell): void {
  common(generate.command(`paper:${input.name}`, { hidden: true }))
    .description(`${input.paper}: ${input.remark}.`)
    .action(({ memory, ...options }: { readonly seed: number; readonly memory?: number; readonly pack?: boolean }) => {
      const { vertices, arcs } = input
      shell.note(
        `${input.name}: ${count(vertices)} vertices, ${count(arcs)} arcs in the paper, ${bytes(graphBytes(input))} as a graph file; ${input.remark}.`,
      )
      const request = { ...input.choice, name: input.name, ...options, memoryBytes: memory }
      return shell.ask('datasets.generate', request, shown)
    })
}

const common = (command: Command): Command =>
  command
    .option('--seed <n>', 'draw other edges, where the model draws any', seedArgument, 1)
    .option('--shuffle', 'put the ids in random order, as Graph500 does')
    .option('--name <name>', 'what to call the dataset (default: made from the options)')
    .option('--memory <size>', 'memory for it, such as 512MiB (default: a quarter of what there is)', sizeArgument)
    .option('--threads <number>', 'threads that work on it (default: as many as cores)', integerArgument(1, 256))
    .option('--pack', 'store the graph packed: two to eight times fewer bytes to read')
    .option('--no-pack', 'store it as it is (default: packed where it has more than half the bytes of the memory)')

const shown = ({ dataset }: { readonly dataset: Dataset }) =>
  [{ dataset: datasetDocument(dataset) }, datasetText(dataset)] as const

function parameterArgument({ kind, least, most }: GeneratorParameter): (text: string) => number {
  if (kind === 'integer') return integerArgument(least, most)
  return numberArgument((value) => value >= least && value <= most, `Write a number from ${least} to ${most}.`)
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

function registerSample(program: Command, shell: Shell): void {
  program
    .command('sample')
    .description('Build a graph from real data that comes along.')
    .command('cities')
    .description('135,233 places of the world; two are joined when they are closer than the radius, weight = distance.')
    .option('--radius-km <km>', 'join places whose great-circle distance is below this', radiusArgument, 10)
    .option('--name <name>', 'what to call the dataset (default: cities-<km>km)')
    .addHelpText('after', sampleExamples)
    .action((options: { radiusKm: number; name?: string }) =>
      shell.ask('datasets.sample', { sample: 'cities', ...options }, shown),
    )
}
