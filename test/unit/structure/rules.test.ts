import { describe, expect, it } from 'vitest'
import { codeRules } from './code-rules.ts'
import { documentRules } from './document-rules.ts'
import { planted } from './rule.ts'
import { readTree } from './source-files.ts'
import { fieldsWords } from './words.ts'

const tree = readTree()

describe.each([...codeRules, ...documentRules, fieldsWords])('$name', ({ broken, faults }) => {
  it('holds', () => {
    expect(broken(tree)).toEqual([])
  })

  it.each(faults)('fails where $says', (fault) => {
    const sentences = broken(planted(tree, fault))
    expect(sentences).toHaveLength(1)
    expect(sentences[0]).toContain(fault.says)
  })
})

it('the rules read the whole repository', () => {
  expect(tree.size).toBeGreaterThan(1000)
})
