import { mount } from '@vue/test-utils'
import { createPinia } from 'pinia'
import { createSourceFile, forEachChild, isStringLiteralLike, isTemplateExpression, ScriptTarget } from 'typescript'
import type { Node } from 'typescript'
import { describe, expect, test } from 'vitest'
import ErrorNotice from '../../renderer/src/base/ErrorNotice.vue'
import type { FailureValue } from '../../renderer/src/connection.ts'
import { inTheWindow, knownFlags, lineInTheWindow, sentenceInTheWindow } from '../../renderer/src/failure-words.ts'
import { useAlgorithms } from '../../renderer/src/stores/algorithms.ts'
import { algorithmEntries } from '../../workers/contract/catalogue.ts'
import { sourceFiles } from '../unit/structure/source-files.ts'

const told = (remedy: string): string => inTheWindow({ code: 'usage', what: 'x', remedy }, algorithmEntries).remedy
const place = (where: string): string | undefined =>
  inTheWindow({ code: 'usage', what: 'x', where, remedy: '' }, algorithmEntries).where

const flag = /(?<![\w-])--[a-z][a-z0-9-]*/g
/** Only whoever starts the program or checks a file of their own by command has these. */
const ownOfTerminal = new Set([
  '--set',
  '--pairs',
  '--host',
  '--port',
  '--debug',
  '--help',
  '--library',
  '--resume',
  '--link',
])
/** What the command line says before there is a window, and what other programs are started with. */
const neverInTheWindow = /^(?:electron\/(?:cli|host)\/|workers\/device\/(?:adapters-pci|device-benchmark-disk)\.ts$)/

/** Every text of the engine and the service that names a flag or a command; figures in it are the letter n. */
function textsWithFlags(): readonly string[] {
  const texts: string[] = []
  const visit = (node: Node): void => {
    if (isStringLiteralLike(node)) texts.push(node.text)
    if (isTemplateExpression(node))
      texts.push(node.head.text + node.templateSpans.map(({ literal }) => `n${literal.text}`).join(''))
    forEachChild(node, visit)
  }
  for (const { path, text } of sourceFiles(['workers', 'electron'], ['.ts']))
    if (!neverInTheWindow.test(path) && !path.startsWith('workers/catalogue'))
      visit(createSourceFile(path, text, ScriptTarget.Latest))
  return texts.filter((text) => / /.test(text) && (text.match(flag) !== null || /[("]anticlique [a-z]/.test(text)))
}

describe('failures in the words of the window', () => {
  test.each([
    ['Give the device more --memory.', 'Give the device more “Memory per device”.'],
    ['Use --weights unit or --weights random3.', 'Use “Weights: All alike” or “Weights: Random”.'],
    ['Close other programs, or run with --devices cpu:0.', 'Close other programs, or run with “Devices: cpu:0”.'],
    ['Use fewer --seeds.', 'Use fewer “Seeds”.'],
    [
      'The states of 135233 vertices take 54848 bytes and a batch 2.5 GiB; 512 words, 4GiB and v-1000 rows stay.',
      'The states of 135,233 vertices take 54.8 kB and a batch 2.68 GB; 512 words, 4GiB and v-1000 rows stay.',
    ],
    [
      'Leave it out, or use --counting integer: it is the same.',
      'Leave it out, or use “Counting: Integers”: it is the same.',
    ],
    ['Mend it, or import with --ignore-weights.', 'Mend it, or import with “Leave weights out”.'],
    [
      'Choose --weight-rule absolute or drop, or --ignore-weights.',
      'Choose “Zero or negative weights: take their absolute value or leave these edges out”, or “Leave weights out”.',
    ],
    [
      "Write a column and a number: --where 'weight>=0.9'.",
      'Write a column and a number: “Only rows with: weight>=0.9”.',
    ],
    ['Go on with "anticlique run --resume" and its id.', 'Choose “Resume”.'],
    ['Go on with "anticlique run --resume 20261122-1"; it is built anew.', 'Choose “Resume”; it is built anew.'],
    [
      'It was removed: run it again with "anticlique run --resume 20261122-1", and it is built anew.',
      'It was removed: choose “Resume”, and it is built anew.',
    ],
    [
      'Free some space, or choose a library on another disk with --library; no.',
      'Free some space, or choose a library on another disk (see “Settings”); no.',
    ],
    [
      'Unpack it on the way: zstd -dc FILE | anticlique import - --name NAME; gzip is read as it is.',
      'Unpack it first; gzip is read as it is.',
    ],
    ['Save it to a file first; a graph can be piped in: anticlique import - --name NAME.', 'Save it to a file first.'],
    [
      'Use 4 or more, as -- is no flag, and well--known is none.',
      'Use 4 or more, as -- is no flag, and well--known is none.',
    ],
  ])('%s', (said, wanted) => expect(told(said)).toBe(wanted))

  test('a place that is an option is named as its field', () => {
    expect(place('--quality swap:x y')).toBe('Quality: swap:x y')
    expect(place('--counting tensor')).toBe('Counting: Tensor cores')
    expect(place('--partitions')).toBe('Partitions')
    expect(place('/data/--odd/graph.mtx:7')).toBe('/data/--odd/graph.mtx:7')
  })

  test('without the registry a flag loses its hyphens all the same', () => {
    const failure: FailureValue = { code: 'device', what: 'x', remedy: 'Use smaller --buffer-words.' }
    expect(sentenceInTheWindow(failure, [])).toBe('x. Use smaller “Buffer words”.')
  })

  test('no text of the engine or the service leaves a flag or a command in the window', () => {
    const texts = textsWithFlags()
    expect(texts.length).toBeGreaterThan(50)
    const left = texts.map(told).filter((text) => text.match(flag) !== null || /anticlique [a-z]/.test(text))
    expect(left).toEqual([])
  })

  test('every flag that is named has a field in the window, or belongs to a terminal', () => {
    const known = knownFlags(algorithmEntries)
    const strange = textsWithFlags().flatMap((text) =>
      (text.match(flag) ?? []).filter((name) => !known.has(name) && !ownOfTerminal.has(name)),
    )
    expect(strange).toEqual([])
  })

  test('a line of a preview ends with fields, and keeps what it quotes', () => {
    const line =
      'x.csv:4: the weight "-1 --odd" is negative. Choose --weight-rule absolute or drop, or --ignore-weights.'
    expect(lineInTheWindow(line, algorithmEntries)).toBe(
      'x.csv:4: the weight "-1 --odd" is negative. Choose “Zero or negative weights: take their absolute value or leave these edges out”, or “Leave weights out”.',
    )
  })

  test('what a person wrote keeps its hyphens', () => {
    const failure: FailureValue = { code: 'input', what: '"--odd" is no number', remedy: 'Mend it.' }
    expect(inTheWindow(failure, algorithmEntries).what).toBe('"--odd" is no number')
  })

  test('the notice shows them', () => {
    const pinia = createPinia()
    useAlgorithms(pinia).list = algorithmEntries
    const failure: FailureValue = {
      code: 'device',
      what: 'too large',
      where: '--seeds',
      remedy: 'Give it more --memory.',
    }
    const notice = mount(ErrorNotice, { props: { failure }, global: { plugins: [pinia] } })
    expect(notice.text()).toContain('Give it more “Memory per device”.')
    expect(notice.find('code').text()).toBe('Seeds')
  })
})
