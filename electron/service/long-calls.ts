import { basename } from 'node:path'
import type { CallArgs, CallName, CallResult } from '../contract/calls.ts'
import type { Work } from '../contract/work.ts'
import { nameOfFile, nameOfModel, nameOfSample } from './dataset-name.ts'
import type { WorkStart } from './work-list.ts'

interface LongCall<N extends CallName> {
  /** null: short with these arguments. */
  start(args: CallArgs<N>): WorkStart | null
  result(value: CallResult<N>): NonNullable<Work['result']>
}

type LongCalls = { readonly [N in CallName]?: LongCall<N> }

/** Without runs, which have cards of their own. */
const longCalls: LongCalls = {
  'datasets.import': {
    start: ({ source, sourceName, name }) => ({
      kind: 'import',
      subject: name ?? nameOfFile(sourceName ?? source),
      name: sourceName ?? basename(source),
    }),
    result: ({ dataset }) => ({ dataset: dataset.name }),
  },
  'datasets.resume': {
    start: ({ which }) => ({ kind: 'import', subject: which ?? '', name: which === undefined ? '' : basename(which) }),
    result: ({ dataset }) => (dataset === null ? {} : { dataset: dataset.name }),
  },
  'datasets.generate': {
    start: ({ name, ...model }) => {
      const subject = name ?? nameOfModel(model)
      return { kind: 'generate', subject, name: subject }
    },
    result: ({ dataset }) => ({ dataset: dataset.name }),
  },
  'datasets.sample': {
    start: ({ name, radiusKm }) => {
      const subject = name ?? nameOfSample(radiusKm)
      return { kind: 'sample', subject, name: subject }
    },
    result: ({ dataset }) => ({ dataset: dataset.name }),
  },
  'datasets.export': {
    start: ({ name, output }) => ({ kind: 'export', subject: name, name: basename(output) }),
    result: ({ files }) => ({ files: [...files] }),
  },
  'export.download': {
    start: ({ request }) =>
      request.what === 'graph'
        ? { kind: 'export', subject: request.dataset, name: `${request.dataset} as ${request.format}` }
        : request.what === 'result'
          ? { kind: 'export', subject: request.run, name: `${request.run} as ${request.format}` }
          : null,
    result: (value) => (value.how === 'saved' ? { files: value.files } : {}),
  },
  'devices.benchmark': {
    start: () => ({ kind: 'benchmark', subject: 'devices', name: 'all devices' }),
    result: () => ({}),
  },
  verify: {
    start: ({ of, set }) => ({ kind: 'verify', subject: of, name: set === undefined ? of : basename(set) }),
    result: ({ dataset, run }) => (run === null ? { dataset } : { dataset, run }),
  },
  export: {
    start: ({ run, output }) => ({ kind: 'export', subject: run, name: basename(output) }),
    result: ({ run, outcome }) => ({ run, files: [...outcome.files] }),
  },
}

/** null for a short call. */
export function longCall<N extends CallName>(
  name: N,
  args: CallArgs<N>,
): { start: WorkStart; result: LongCall<N>['result'] } | null {
  const long: LongCall<N> | undefined = longCalls[name]
  const start = long?.start(args) ?? null
  return long === undefined || start === null ? null : { start, result: (value) => long.result(value) }
}
