/**
 * What the command line prints of runs for people: a run with its result, quality, bounds and times, verdicts with their witness, tables of
 * runs. Words and units are those of the catalogue and of text.ts; nothing is computed here, and no result depends on the width of the terminal.
 * documents.ts has the same as JSON.
 */

import { complementedBy, keepsToLists, optionsOf, type Run, tellingCounters } from '../contract/run.ts'
import { algorithmEntry, type CounterEntry } from '../../workers/contract/catalogue.ts'
import type { RunOutcome, Verdict } from '../../workers/contract/jobs.ts'
import { isOfPairs, sizeOf } from '../../workers/contract/result.ts'
import { failureText } from './failure-text.ts'
import { bytes, counted, duration, figure, share, shareAtLeast, sizeText, facts, table } from './text.ts'

export function runText(run: Run, files: readonly string[] = []): string {
  if (run.record === null) return unfinishedText(run)
  const { dataset, outcome, request } = run.record
  const { plan, result, verification } = outcome
  const clique = complementedBy(run.record)
  const set = clique === null ? 'set' : `clique of ${clique.name}`
  const those = keepsToLists(request) ? `${set} that keeps to the lists` : set
  const title = `${algorithmEntry(outcome.algorithm)?.title ?? outcome.algorithm} on ${dataset.name} (${sizeText(dataset)})`
  const lines = facts([
    ...resultFacts(outcome),
    [
      'clique',
      clique === null || result.kind !== 'independent-set' ? null : `these vertices are a clique of ${clique.name}`,
    ],
    [
      'upper bound',
      objectiveText(outcome) ??
        (verification && boundText(verification, result.kind === 'independent-set' ? those : result.kind, those)),
    ],
    ['verified', verification === null ? 'not asked for; add --verify' : verdictText(verification, result.kind)],
    ['device', outcome.devices.map(({ id, name, driver }) => `${id} ${name} (${driver})`).join(', ')],
    ['options', optionsText(outcome)],
    ...factsOf(algorithmEntry(outcome.algorithm)?.counters ?? [], tellingCounters(outcome)),
    ['resumed', outcome.resumed ?? null],
    ['time', timeText(outcome)],
    ['memory', `${bytes(plan.hostBytes)} on the host, ${bytes(plan.deviceBytes)} on the device`],
    ['hash', outcome.result.hash],
    ['run', run.name === null ? run.id : `${run.id} "${run.name}"`],
    ['files', files.length === 0 ? null : files.join(', ')],
  ])
  return `${title}\n${lines}`
}

type TextFact = readonly [string, string]

function resultFacts({ algorithm, result, verification }: RunOutcome): readonly TextFact[] {
  switch (result.kind) {
    case 'matching':
    case 'b-matching':
      return [[result.kind, `${counted(result.pairs, 'pair', 'pairs')}, weight ${result.weight}`]]
    case 'independent-set': {
      const weight = result.weight === undefined ? '' : `, weight ${result.weight}`
      return [['set', `${counted(result.size, 'vertex', 'vertices')}, ${share(result.fraction)} of all${weight}`]]
    }
    case 'values':
      return figureFacts(algorithm, { ...verification?.figures, ...result.figures })
  }
}

function factsOf(known: readonly CounterEntry[], values: Readonly<Record<string, number>>): readonly TextFact[] {
  return known.flatMap(({ name, label, unit }) => {
    const value = values[name]
    return value === undefined ? [] : [[label.toLowerCase(), inUnit(value, unit)] as const]
  })
}

const figureFacts = (algorithm: string, figures: Readonly<Record<string, number>>): readonly TextFact[] =>
  factsOf(algorithmEntry(algorithm)?.values?.figures ?? [], figures)

const inUnit = (value: number, unit: string): string =>
  unit === 'bytes' ? bytes(value) : unit === 'ms' ? duration(value) : `${figure(value)}${unit && ` ${unit}`}`

function optionsText({ options }: RunOutcome): string {
  const words = Object.entries(options).flatMap(([name, value]) => {
    if (value === null || value === false || name === 'batches' || name === 'memoryBytes') return []
    if (name === 'roots' && options['rootIds'] !== undefined) return []
    if (name === 'searchSeconds') return [`time ${value} s`]
    if (name === 'searchSteps') return [`steps ${value}`]
    return [value === true ? name : `${name} ${value}`]
  })
  const { batches, memoryBytes } = options
  if (typeof memoryBytes === 'number') words.push(`${bytes(memoryBytes)} a device`)
  if (typeof batches === 'number') words.push(counted(batches, 'batch', 'batches'))
  return words.join(', ')
}

function unfinishedText(run: Run): string {
  const failure = run.failure === null ? null : failureText(run.failure)
  const lines = facts([
    ['state', run.state],
    ['dataset', run.dataset],
    ['why', failure],
    ['started', run.startedAt],
    ['ended', run.finishedAt],
  ])
  return `Run ${run.id}\n${lines}`
}

/** @param what weighs something @param set what has a size */
function boundText({ size, upperBound, weight }: Verdict, what = 'matching', set = 'set'): string | null {
  if (upperBound === null) return null
  const bound =
    weight === undefined
      ? `no ${set} has more than ${counted(upperBound, 'vertex', 'vertices')}`
      : `no ${what} weighs more than ${upperBound}`
  if (upperBound === 0) return bound
  const reached = (weight ?? size) / upperBound
  return reached >= 1
    ? `${bound}: this one is the best possible`
    : `${bound}: at least ${shareAtLeast(reached)} of the best possible`
}

/** What a search for most pairs proved; null where another was made. */
function objectiveText({ options, counters, result }: RunOutcome): string | null {
  const { pairsBound, weightBound } = counters
  if (pairsBound === undefined || result.kind !== 'matching') return null
  const most = `no matching has more than ${counted(pairsBound, 'pair', 'pairs')}`
  if (weightBound === undefined) return most
  const isCheapest = options['objective'] === 'cost'
  const bound = `${most}, and none of as many weighs ${isCheapest ? 'less' : 'more'} than ${weightBound}`
  const isBest = isCheapest ? result.weight <= weightBound : result.weight >= weightBound
  return isBest ? `${bound}: this one is the best possible` : bound
}

function verdictText(verdict: Verdict, kind = 'matching'): string {
  if (!verdict.verified) return `FAILED: ${verdict.sentence}`
  const laws =
    verdict.figures !== undefined
      ? 'values and figures are right'
      : verdict.weight === undefined || kind === 'independent-set'
        ? 'independent and maximal'
        : 'valid and maximal'
  return `${laws}, checked in ${duration(verdict.elapsedMs)}`
}

export function verdictReport(of: string, verdict: Verdict, algorithm?: string): string {
  const lines = facts([
    ...verdictFacts(verdict, algorithm),
    ['upper bound', verdict.verified ? boundText(verdict) : null],
    ['verified', verdictText(verdict)],
    ['hash', verdict.hash],
  ])
  return `${of}\n${lines}`
}

function verdictFacts({ figures, size, weight }: Verdict, algorithm = ''): readonly TextFact[] {
  if (figures !== undefined) return figureFacts(algorithm, figures)
  if (weight === undefined) return [['set', counted(size, 'vertex', 'vertices')]]
  return [['matching', `${counted(size, 'pair', 'pairs')}, weight ${weight}`]]
}

/** The times of a run, all attempts where it was resumed; null where only the last one was measured. */
function timeText({ time, rounds, resumed, waited }: RunOutcome): string | null {
  if (waited !== undefined) {
    const { setMs, searchMs, attempts } = waited
    const search = searchMs === 0 ? '' : `, search ${duration(searchMs)}`
    return `first result ${duration(setMs)}${search}, in all ${duration(setMs + searchMs)} in ${counted(attempts, 'attempt', 'attempts')}`
  }
  if (resumed !== undefined) return null
  const compute = `compute ${duration(time.computeMs)} (kernels ${duration(time.kernelMs)}, ${counted(rounds, 'round', 'rounds')})`
  return `prepare ${duration(time.prepareMs)}, read ${duration(time.readMs)}, ${compute}, in all ${duration(time.totalMs)}`
}

export function resultText({ algorithm, result }: RunOutcome): string {
  const size = sizeOf(result)
  const first = algorithmEntry(algorithm)?.values?.figures[0]
  const many = isOfPairs(result) ? 'pairs' : result.kind === 'values' ? (first?.label.toLowerCase() ?? '') : ''
  const one = isOfPairs(result) ? 'pair' : first?.one
  return `${figure(size)} ${size === 1 ? (one ?? many) : many}`.trim()
}

export function runTable(runs: readonly Run[]): string {
  if (runs.length === 0) return 'The library has no runs yet. Begin with: anticlique run <dataset or file> --verify'
  return table(
    'run | state | dataset | algorithm | priority | seed> | quality | result> | share> | compute> | verified | name',
    runs.map((run) => {
      const outcome = run.record?.outcome
      return [
        run.id,
        run.state,
        run.dataset,
        run.algorithm,
        optionsOf(run.request).priority ?? '',
        String(run.request.seed ?? ''),
        optionsOf(run.request).quality ?? '',
        outcome === undefined ? '' : resultText(outcome),
        outcome?.result.kind === 'independent-set' ? share(outcome.result.fraction) : '',
        outcome === undefined || outcome.resumed !== undefined ? '' : duration(outcome.time.computeMs),
        { true: 'yes', false: 'FAILED', undefined: '' }[`${outcome?.verification?.verified}` as const],
        run.name ?? '',
      ]
    }),
  )
}
