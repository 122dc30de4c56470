/**
 * Options of a run on the command line, made from the catalogue, and the request that they come to: flags of several algorithms are one option,
 * values that a chosen algorithm lacks are refused with those that have them, and `auto` chooses an algorithm and devices by what was measured
 * (docs/results.md). Commands `run`, `plan` and their kin share it; plans of the service say whether it fits.
 */

import { usageFailure } from '../../workers/base/failure.ts'
import { resolve } from 'node:path'
import { InvalidArgumentError, Option, type Command } from 'commander'
import {
  algorithmEntries,
  algorithmEntry,
  type AlgorithmEntry,
  type AlgorithmName,
  type OptionEntry,
} from '../../workers/contract/catalogue.ts'
import type { CallArgs } from '../contract/calls.ts'
import { planRequestSchema } from '../contract/run.ts'
import { integerArgument, runDevicesArgument, secondsArgument, sizeArgument } from './argument.ts'
import { explainByAlgorithm, optionsByFlag, type OwnedOption } from './run-help.ts'
import type { Shell, Workplace } from './shell.ts'

/** Options of the catalogue are beside these, under commander's names. */
export interface RequestOptions {
  readonly algorithm: AlgorithmName | 'auto'
  readonly devices: string
  readonly [option: string]: unknown
}

export function algorithmArgument(text: string): AlgorithmName | 'auto' {
  const known = algorithmEntry(text)
  if (known !== undefined) return known.name
  if (text === 'auto') return text
  throw new InvalidArgumentError(`The algorithms of this version are: ${allNames}, and auto.`)
}

const allNames = algorithmEntries.map(({ name }) => name).join(', ')

/** @param forAll options of the command in place of those of some algorithms */
export function addRequestOptions(command: Command, examples: string, forAll: readonly Option[] = []): Command {
  command
    .option(
      '--algorithm <name>',
      'how to compute it, or auto, which picks one that makes sets; see below',
      algorithmArgument,
      'ecl-mis',
    )
    .option(
      '--devices <list>',
      'compute on cpu:0, gpu:0, ..., several with commas, or auto: one GPU, or all where one cannot hold the graph',
      runDevicesArgument,
      'auto',
    )
  const own = new Map(forAll.map((option) => [option.long ?? '', option]))
  for (const [flag, alike] of optionsByFlag) command.addOption(own.get(flag) ?? optionOf(alike))
  explainByAlgorithm(command, examples, [...own.keys()])
  return command
}

const placeholders: Readonly<Partial<Record<OptionEntry['kind'], string>>> = {
  bytes: 'size',
  integer: 'n',
  number: 'n',
  seconds: 'time',
}

/** @param alike the entries of one flag; an option or a value that the algorithm lacks is refused later */
function optionOf(alike: readonly OwnedOption[]): Option {
  const [{ flag, kind, explanation }] = alike as [OwnedOption]
  if (kind === 'switch') return new Option(flag, explanation)
  const option = new Option(`${flag} <${placeholders[kind] ?? kind}>`, explanation)
  const [least, most] = [alike.map(({ min = 0 }) => min), alike.map(({ max = Number.MAX_SAFE_INTEGER }) => max)]
  if (kind === 'integer') option.argParser(integerArgument(Math.min(...least), Math.max(...most)))
  if (kind === 'bytes') option.argParser(sizeArgument)
  if (kind === 'number') option.argParser(numberArgument)
  if (kind === 'seconds') option.argParser(secondsArgument)
  if (kind === 'file') option.argParser((path) => resolve(path))
  return option
}

function numberArgument(text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value)) throw new InvalidArgumentError('Give a number.')
  return value
}

export const keyOf = (flag: string): string =>
  flag.slice(2).replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())

export type Decided = ReturnType<typeof decide>

/** `mayShare`: whether a graph that no single GPU holds goes to several, with mg-mis. */
export function decide(given: RequestOptions, shell: Shell) {
  const { algorithm, devices: device } = given
  if (algorithm !== 'auto') return { algorithm, device, values: valuesOf(algorithm, given), mayShare: false }
  const chosen = chooseAlgorithm(given)
  shell.remark(`Algorithm: ${chosen.why}`)
  const mayShare = device === 'auto' && chosen.algorithm === 'ecl-mis'
  return { algorithm: chosen.algorithm, device, values: valuesOf(chosen.algorithm, given), mayShare }
}

export function valuesOf(algorithm: AlgorithmName, given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entry = algorithmEntry(algorithm)!
  const values: Record<string, unknown> = { verify: false }
  for (const option of entry.options) {
    const value = given[keyOf(option.flag)]
    if (value === undefined) continue
    requireChoice(entry, option, value)
    requireRange(entry, option, value)
    values[option.name] = value
  }
  for (const other of algorithmEntries)
    for (const { flag } of other.options)
      if (given[keyOf(flag)] !== undefined && !entry.options.some((option) => option.flag === flag))
        throw usageFailure(
          flag,
          `it belongs to ${other.name}, not to ${algorithm}`,
          'Leave it out, or name another --algorithm.',
        )
  for (const option of entry.options) chooseByFile(entry, option, values)
  return values
}

function requireChoice(entry: AlgorithmEntry, { flag, choices }: OptionEntry, value: unknown): void {
  if (choices === undefined || choices.some((choice) => choice.value === value)) return
  const owner = algorithmEntries.find(({ options }) =>
    options.some((option) => option.flag === flag && option.choices?.some((choice) => choice.value === value)),
  )
  throw usageFailure(
    `${flag} ${String(value)}`,
    owner === undefined ? `${entry.name} has no such choice` : `this choice belongs to ${owner.name}`,
    `Use one of ${choices.map((choice) => choice.value).join(', ')}.`,
  )
}

function requireRange(
  { name }: AlgorithmEntry,
  { flag, min = -Infinity, max = Infinity }: OptionEntry,
  value: unknown,
) {
  if (typeof value !== 'number' || (value >= min && value <= max)) return
  const range = max === Infinity ? `${min} or more` : `a number from ${min} to ${max}`
  throw usageFailure(`${flag} ${value}`, `${name} takes ${range}`, 'Give another.')
}

/** What one choice needs, a file or an attribute, makes that choice. @throws Failure (usage) for one without the other */
function chooseByFile(entry: AlgorithmEntry, option: OptionEntry, values: Record<string, unknown>): void {
  const { name, kind, flag, when } = option
  if ((kind !== 'file' && kind !== 'text') || when === undefined) return
  const { flag: choiceFlag } = entry.options.find((other) => other.name === when.option)!
  const chosen = values[when.option]
  const isChosen = when.values.some((value) => value === chosen)
  const alike = entry.options.filter(
    (other) => other.when?.option === when.option && other.when.values[0] === when.values[0],
  )
  if (isChosen && alike[0] === option && alike.every((other) => values[other.name] === undefined))
    throw usageFailure(
      `${choiceFlag} ${String(chosen)}`,
      'what it goes by is missing',
      `Give it with ${alike.map((other) => `${other.flag} ${other.kind === 'file' ? 'FILE' : 'NAME'}`).join(' or ')}.`,
    )
  if (values[name] === undefined || isChosen) return
  if (chosen !== undefined)
    throw usageFailure(flag, `it has no meaning with ${choiceFlag} ${String(chosen)}`, 'Leave one of them out.')
  values[when.option] = when.values[0]
}

/** mg-mis where the plan gives the graph to several GPUs; else ecl-mis. The set is the same. */
export async function sharedOrAlone(
  target: string,
  { device, algorithm, values, mayShare }: Decided,
  { service }: Workplace,
  shell: Shell,
): Promise<AlgorithmName> {
  if (!mayShare) return algorithm
  const { plan } = await service.call('plan', asPlan({ ...values, target, device, algorithm: 'mg-mis' }), shell.job)
  if (plan.lanes.length === 1) return 'ecl-mis'
  shell.remark(`Algorithm: mg-mis instead, as auto ${plan.deviceAdvice ?? 'takes several devices'}.`)
  return 'mg-mis'
}

export const asPlan = (values: object): CallArgs<'plan'> => planRequestSchema.parse(values)

/**
 * By what was measured (docs/results.md): one device: ECL-MIS; a graph that no single device holds: MG-MIS; several
 * seeds at once: TC-MIS.
 */
export function chooseAlgorithm(asked: { readonly devices: string; readonly [option: string]: unknown }): {
  readonly algorithm: AlgorithmName
  readonly why: string
} {
  const isTiled = /^h[123]$/.test(String(asked['priority'])) || [asked['seeds'], asked['counting']].some(isGiven)
  if (isTiled)
    return {
      algorithm: 'tc-mis',
      why: 'tc-mis, as its options were given: 16 seeds took it 4 to 13 times as long as one.',
    }
  const isShared =
    asked.devices.includes(',') ||
    Number(asked['partitions'] ?? 1) > 1 ||
    [asked['exchange'], asked['bufferWords']].some(isGiven)
  if (isShared)
    return {
      algorithm: 'mg-mis',
      why: 'mg-mis, as several workers are to share the graph; where one device holds it, that one computes alone.',
    }
  return {
    algorithm: 'ecl-mis',
    why: 'ecl-mis, as it was the fastest on one device for every graph measured but two small ones.',
  }
}

const isGiven = (option: unknown): boolean => option !== undefined
