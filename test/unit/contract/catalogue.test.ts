import { expect, test } from 'vitest'
import { runRequestSchema } from '../../../electron/contract/run.ts'
import { algorithmEntries } from '../../../workers/contract/catalogue.ts'

test.each(algorithmEntries.map((entry) => [entry.name, entry] as const))(
  '%s: its entry is complete',
  (_name, entry) => {
    expect(entry.options.length).toBeGreaterThan(3)
    for (const text of [entry.title, entry.paper.title, entry.paper.authors, entry.paper.venue])
      expect(text).not.toBe('')
    for (const text of [entry.summary, entry.whenToUse]) expect(text).toMatch(/\.$/)
    const asked = { dataset: 'a', device: 'auto', algorithm: entry.name }
    const recorded = entry.options.filter((option) => option.recorded).map(({ name, default: value }) => [name, value])
    expect(runRequestSchema.parse({ ...asked, nothing: 1 })).toEqual({ ...asked, ...Object.fromEntries(recorded) })
    for (const { flag, explanation, kind, choices, default: standard } of entry.options) {
      expect(flag).toMatch(/^--[a-z-]+$/)
      expect(explanation).toMatch(/\.$/)
      if (kind !== 'choice') continue
      expect(choices?.length).toBeGreaterThan(standard === undefined ? 0 : 1)
      if (standard !== undefined) expect(choices?.map(({ value }) => value)).toContain(standard)
    }
    expect(new Set(entry.options.map(({ flag }) => flag)).size).toBe(entry.options.length)
  },
)
