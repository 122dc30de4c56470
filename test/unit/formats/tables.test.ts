import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { previewFile } from '../../../workers/import/preview/preview-file.ts'
import { Failure } from '../../../workers/base/failure.ts'
import type { FilePreview } from '../../../workers/contract/jobs.ts'
import { fixturePath, fixtures } from '../../support/fixtures.ts'
import { Workplace } from '../../support/ingest-cases.ts'

/** What is said of a table that cannot be read as edges. */
interface Refused {
  readonly what: string
  readonly remedy: string
  readonly asks: string | null
  readonly source: string
}

const SIDE_CAR = '.refused.json'
const folder = fixturePath('tables')
const refused = readdirSync(folder)
  .filter((file) => file.endsWith(SIDE_CAR))
  .map((file) => {
    const told = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Refused
    return { name: file.slice(0, -SIDE_CAR.length), told }
  })
const work = new Workplace()

/** What a preview says of a file that an import refuses: a question, or the same failure. */
async function previewed(source: string): Promise<FilePreview | null> {
  try {
    return await previewFile({ source })
  } catch (error) {
    if (error instanceof Failure) return null
    throw error
  }
}

describe('tables that other programs write', () => {
  it('are many; those that are read stand with the other fixtures', () => {
    const right = fixtures.filter(({ name }) => name.startsWith('tables/'))
    expect(right.length + refused.length).toBeGreaterThanOrEqual(30)
    expect(new Set(refused.map(({ told }) => told.source)).size).toBe(refused.length)
  })

  it.each(refused.map(({ name, told }) => [name, told] as const))(
    '%s is refused, with what to do',
    async (name, told) => {
      const source = join(folder, name)
      const failure = await work.refused(source)
      expect(failure).toMatchObject({ code: 'input' })
      expect(failure.what).toContain(told.what)
      expect(failure.remedy).toContain(told.remedy)
      const preview = await previewed(source)
      expect(preview?.table?.asks ?? null).toBe(told.asks)
      if (told.asks !== null) expect(preview?.warnings.join()).toContain(told.what)
    },
  )
})
