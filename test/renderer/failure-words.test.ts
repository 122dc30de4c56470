import { mount } from '@vue/test-utils'
import { createPinia } from 'pinia'
import { createSourceFile, forEachChild, isStringLiteralLike, isTemplateExpression, ScriptTarget } from 'typescript'
import type { Node } from 'typescript'
import { describe, expect, test } from 'vitest'
import ErrorNotice from '../../renderer/src/base/ErrorNotice.vue'
import type { FailureValue } from '../../renderer/src/bridge.ts'
import { failureSentence, fixLabel, remedyWords } from '../../renderer/src/failure-words.ts'
import type { Fix } from '../../renderer/src/failure-words.ts'
import { fixIn } from '../../renderer/src/new-run/run-form.ts'
import type { RunForm } from '../../renderer/src/new-run/run-form.ts'
import { useAlgorithms } from '../../renderer/src/stores/algorithms.ts'
import { inCommands } from '../../electron/cli/failure-text.ts'
import { algorithmEntries, algorithmEntry } from '../../workers/contract/catalogue.ts'
import { sourceFiles } from '../unit/structure/source-files.ts'

const failureOf = (remedy: string, ...fixes: Fix[]): FailureValue => ({ code: 'usage', what: 'x', remedy, fixes })

const moreMemory: Fix = { action: 'raise', option: 'memoryBytes' }
const unit: Fix = { action: 'set', option: 'weights', to: 'unit' }

/** The folders whose failures reach both hosts. */
const neverInTheWindow = /^(?:electron\/(?:cli|host)\/|electron\/cli\.ts$|workers\/contract\/catalogue)/

function textsOf(): readonly string[] {
  const texts: string[] = []
  const visit = (node: Node): void => {
    if (isStringLiteralLike(node)) texts.push(node.text)
    if (isTemplateExpression(node))
      texts.push([node.head, ...node.templateSpans.map((s) => s.literal)].map(({ text }) => text).join('n'))
    forEachChild(node, visit)
  }
  for (const { path, text } of sourceFiles(['workers', 'electron'], ['.ts']))
    if (!neverInTheWindow.test(path)) visit(createSourceFile(path, text, ScriptTarget.Latest))
  return texts.filter((text) => / /.test(text))
}

describe('what to do about a failure', () => {
  test.each<[string, readonly Fix[], string, string]>([
    ['', [moreMemory], 'Use a larger --memory.', 'Raise “Memory per device”.'],
    [
      '',
      [unit, { action: 'set', option: 'weights', to: 'random3' }],
      'Use --weights unit, or use --weights random3.',
      'Choose “Weights: All alike”, or choose “Weights: Random”.',
    ],
    [
      'Close other programs.',
      [{ action: 'set', option: 'device', to: 'cpu:0' }],
      'Close other programs. Or use --devices cpu:0.',
      'Close other programs. Or choose “Devices: cpu:0”.',
    ],
    ['', [{ action: 'lower', option: 'seeds' }], 'Use a smaller --seeds.', 'Lower “Seeds”.'],
    [
      '',
      [{ action: 'raise', option: 'memoryBytes', to: 3 << 20 }],
      'Give it more with --memory 3MiB.',
      'Raise “Memory per device” to 3 MiB.',
    ],
    [
      'Mend it.',
      [{ action: 'set', option: 'ignoreWeights', to: true }],
      'Mend it. Or use --ignore-weights.',
      'Mend it. Or choose “Leave weights out”.',
    ],
    [
      '',
      [{ action: 'set', option: 'weightRule', to: 'drop' }],
      'Use --weight-rule drop.',
      'Choose “Zero or negative weights: leave these edges out”.',
    ],
    [
      'A fresh engine starts.',
      [{ action: 'resume', run: 'r-1' }],
      'A fresh engine starts. Resume it with "anticlique run --resume r-1".',
      'A fresh engine starts. Choose “Resume”.',
    ],
    [
      'Free some space.',
      [{ action: 'other-library' }],
      'Free some space. Or choose a library on another disk with --library.',
      'Free some space. Or choose a library on another disk (see “Settings”).',
    ],
    [
      '',
      [{ action: 'launch', by: 'mpirun' }],
      'Start it by "mpirun -n 4 --map-by ppr:1:node --bind-to none anticlique run DATASET --across mpi".',
      'Start it by mpirun, on the command line of the cluster.',
    ],
    ['', [{ action: 'show', page: 'runs' }], 'See "anticlique runs".', 'See “Runs”.'],
    ['As it was.', [], 'As it was.', 'As it was.'],
  ])('%s %j', (remedy, fixes, commands, page) => {
    expect(inCommands(failureOf(remedy, ...fixes)).remedy).toBe(commands)
    expect(remedyWords(failureOf(remedy, ...fixes), algorithmEntries)).toBe(page)
  })

  test('no text of the engine or the service names a flag or a command', () => {
    const texts = textsOf()
    expect(texts.length).toBeGreaterThan(500)
    expect(texts.filter((text) => /(?<![\w`-])--[a-z]{2}|["(]anticlique [a-z]/.test(text))).toEqual([])
  })

  test('every option that a fix names has a label in the window', () => {
    const named = new Set(
      sourceFiles(['workers', 'electron'], ['.ts']).flatMap(({ text }) =>
        [...text.matchAll(/action: '[a-z]+', option: '(\w+)'/g)].map(([, option]) => option!),
      ),
    )
    expect(named.size).toBeGreaterThan(15)
    const label = (option: string): string => fixLabel({ action: 'choose', option } as Fix, algorithmEntries)
    expect([...named].filter((option) => option !== 'link' && label(option).includes(`“${option}”`))).toEqual([])
  })

  test('a sentence of the window has the place too', () => {
    expect(failureSentence({ ...failureOf('Mend it.', unit), where: 'a.mtx:7' }, algorithmEntries)).toBe(
      'a.mtx:7: x. Mend it. Or choose “Weights: All alike”.',
    )
  })

  test('a notice has a button for what can be done on its page, and words for the rest', async () => {
    const pinia = createPinia()
    useAlgorithms(pinia).list = algorithmEntries
    const form = { options: { weights: null }, devices: [] } as unknown as RunForm
    const entry = algorithmEntry('ld-gpu')
    const notice = mount(ErrorNotice, {
      props: { failure: failureOf('', unit, moreMemory), act: (fix: Fix) => fixIn(form, entry, fix) },
      global: { plugins: [pinia] },
    })
    expect(notice.find('.text').text()).toContain('Raise “Memory per device”.')
    expect(notice.findAll('button').map((button) => button.text())).toEqual(['Choose “Weights: All alike”'])
    await notice.find('button').trigger('click')
    expect(form.options).toEqual({ weights: 'unit' })
  })
})
