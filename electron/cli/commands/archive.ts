import { resolve } from 'node:path'
import type { Command } from 'commander'
import { outputArgument } from '../argument.ts'
import type { Shell } from '../shell.ts'
import { bytes } from '../text.ts'

const examples = `
The archive is a tar file with a folder of these: record.json, the lists that the run was given, result.txt in the ids of the graph, of a set or a matching
certificate.txt, which proves a bound, labels.txt (what the vertices are called), graph.gr, check.py and SHA256SUMS. "python3 check.py ARCHIVE" checks all of it without
this program; "anticlique rerun ARCHIVE" repeats the run.

Examples:
  anticlique archive latest --output published.tar
  anticlique archive best --without-graph`

interface ArchiveOptions {
  readonly output?: string
  readonly withoutGraph?: boolean
}

export function register(program: Command, shell: Shell): void {
  program
    .command('archive')
    .description('Write a run to one file by which others check and repeat it: graph, result, record, and a checker.')
    .argument('<run>', 'its id, the beginning of its id, its name, or "latest"')
    .option('--output <file>', 'where to write it (default: <dataset>-<run>.tar in this folder)', outputArgument)
    .option('--without-graph', 'leave the graph out: the record has its checksum, and where it came from')
    .addHelpText('after', examples)
    .action((text: string, { output: wanted, withoutGraph = false }: ArchiveOptions) =>
      shell.open(async ({ service }) => {
        const { run } = await service.call('runs.get', { run: text })
        const output = wanted ?? `${run.dataset.replace(/[^A-Za-z0-9._-]+/g, '-')}-${run.id}.tar`
        const archived = await service.call('archive', { run: run.id, output, withGraph: !withoutGraph }, shell.job)
        const files = archived.files.map((file) => resolve(file))
        shell.answer({ ...archived, files }, `Archived run ${run.id}: ${files.join(', ')} (${bytes(archived.bytes)}).`)
      }),
    )
}
