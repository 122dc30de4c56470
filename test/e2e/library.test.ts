import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DrivenWorkbench, gridText } from './driven-workbench.ts'

let driven: DrivenWorkbench
beforeAll(async () => {
  driven = await DrivenWorkbench.open()
})
afterAll(() => driven.close())

/** The row of a dataset in the library's table. */
const row = (name: string) => driven.page.getByRole('row').filter({ hasText: name })

/** Files are let go over whatever page is open. */
async function drop(files: Readonly<Record<string, string | readonly number[]>>): Promise<void> {
  const { page } = driven
  const dataTransfer = await page.evaluateHandle((all) => {
    const transfer = new DataTransfer()
    for (const [name, content] of Object.entries(all)) {
      const part = typeof content === 'string' ? content : new Uint8Array(content)
      transfer.items.add(new File([part], name, { type: 'text/plain' }))
    }
    return transfer
  }, files)
  for (const event of ['dragenter', 'dragover', 'drop']) await page.locator('h1').dispatchEvent(event, { dataTransfer })
}

describe('the library, driven in a browser', () => {
  test('the link opens an empty library, and its token leaves the address', async () => {
    const { page, link } = driven
    await page.getByText('The library is empty').waitFor()
    expect(page.url()).toBe(`${link.origin}/#/library`)
    expect(await page.title()).toContain('Anticlique')
    expect(await page.evaluate(() => document.cookie)).toBe('')
  })

  test('the keyboard alone leads from the empty library to a table of some rows, saved', async () => {
    const { page } = driven
    const path = driven.file('streets.txt', gridText(30, 40))
    const focused = (): Promise<string> =>
      page.evaluate(() => {
        const { activeElement: at, body } = document
        if (at === null || at === body) return ''
        const labels = at instanceof HTMLInputElement ? [...(at.labels ?? [])] : []
        return [at.getAttribute('aria-label') ?? '', ...labels.map((one) => one.textContent), at.textContent]
          .join(' ')
          .trim()
      })
    const focusedId = (): Promise<string | undefined> => page.evaluate(() => document.activeElement?.id)
    const goOn = async (name: RegExp, key = 'Tab'): Promise<void> => {
      for (let pressed = 0; !name.test(await focused()); pressed++) {
        expect(pressed, `presses of ${key} to ${name}`).toBeLessThan(30)
        await page.keyboard.press(key)
      }
    }
    const take = async (name: RegExp, key?: string): Promise<void> => {
      await goOn(name, key)
      await page.keyboard.press('Enter')
    }
    await take(/^Import a file/)
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    await goOn(/^File/)
    await page.keyboard.type(path)
    await dialog.getByText('every line holds an edge').waitFor()
    expect(await dialog.getByRole('table').getByRole('row').count()).toBe(21)
    expect(await driven.accessibilityFaults()).toEqual([])
    await take(/^Import$/)
    await row('streets').waitFor()
    // The button that opened the dialog is gone: the focus is where its page begins.
    await dialog.waitFor({ state: 'hidden' })
    await expect.poll(focusedId).toBe('page')
    expect((await driven.call('datasets.get', { name: 'streets' })).dataset).toMatchObject({
      vertices: 1200,
      arcs: 2 * (30 * 39 + 29 * 40),
    })
    await take(/^Datasets/)
    await page.waitForURL(/dataset\/streets/)
    await page.getByText('1,200 rows').waitFor()
    await expect.poll(focusedId).toBe('page')
    await take(/^New run$/)
    await page.waitForURL(/new-run/)
    await take(/^Start run/)
    await page.getByText(/verified in /).waitFor()
    await expect.poll(focusedId).toBe('page')
    await goOn(/^Only where/)
    await page.keyboard.type('degree < 4')
    // The outer ring has 136 vertices.
    await page.getByText(/^\d\d rows$/).waitFor()
    await take(/^Rows/)
    const saved = page.waitForEvent('download')
    await take(/^Save the rows as CSV/, 'ArrowDown')
    const lines = readFileSync(await (await saved).path(), 'utf8')
      .trimEnd()
      .split('\n')
    const { runs } = await driven.call('runs.list', {})
    const table = { run: runs[0]!.id, show: 'in', text: '', sort: 'id', down: false, offset: 0, limit: 100 } as const
    const { total, rows } = await driven.call('explore.result', { ...table, where: 'degree < 4' })
    expect(total).toBeGreaterThan(10)
    expect(lines.slice(1)).toEqual(rows.map(({ label, degree }) => `${label},${degree}`))
    expect(rows.every(({ degree }) => degree < 4)).toBe(true)
    await driven.goTo('/library')
  })

  test('of files on the disk none is chosen before a click, which marks its row', async () => {
    const { page } = driven
    for (const name of ['first.txt', 'second.txt']) driven.file(name, '1 2\n')
    mkdirSync(join(driven.folder, 'deeper'))
    writeFileSync(join(driven.folder, 'deeper', 'third.txt'), '1 2\n')
    await page.evaluate((folder) => localStorage.setItem('folder', folder), driven.folder)
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Browse' }).click()
    const picker = page.getByRole('dialog', { name: 'Choose a file' })
    const take = picker.getByRole('button', { name: 'Choose', exact: true })
    const file = (name: string) => picker.getByRole('row').filter({ hasText: name })
    await file('second.txt').waitFor()
    await picker.getByRole('grid').focus()
    expect(await take.isDisabled()).toBe(true)
    await file('second.txt').click()
    expect(await picker.locator('[aria-selected=true]').allTextContents()).toEqual([
      expect.stringContaining('second.txt'),
    ])
    expect(await take.isEnabled()).toBe(true)
    await file('deeper').dblclick()
    await file('third.txt').waitFor()
    expect(await picker.locator('[aria-selected=true]').count()).toBe(0)
    expect(await take.isDisabled()).toBe(true)
    await page.keyboard.press('ArrowDown')
    await picker.locator('[aria-selected=true]').waitFor()
    await take.click()
    const dialog = page.getByRole('dialog')
    expect(await dialog.getByLabel('File', { exact: true }).inputValue()).toBe(
      join(driven.folder, 'deeper', 'third.txt'),
    )
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'hidden' })
  })

  test('a file that this computer sends is imported under its own name', async () => {
    const { page } = driven
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    const dialog = page.getByRole('dialog')
    const send = dialog.getByRole('button', { name: 'From this computer' })
    await send.waitFor()
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), send.click()])
    await chooser.setFiles({ name: 'sent.csv', mimeType: 'text/csv', buffer: Buffer.from('from,to\na,b\nb,c\n') })
    await dialog.getByRole('columnheader', { name: 'from' }).waitFor()
    await dialog.getByRole('button', { name: 'Import', exact: true }).click()
    await row('sent').waitFor()
    const { dataset } = await driven.call('datasets.get', { name: 'sent' })
    expect(dataset).toMatchObject({ vertices: 3, source: 'sent.csv' })
  })

  test('a file that is dropped on the page opens the dialog with it', async () => {
    const { page } = driven
    await drop({ 'dropped.txt': '1 2\n2 3\n3 4\n' })
    const dialog = page.getByRole('dialog')
    await dialog.getByText('every line holds an edge').waitFor()
    await dialog.getByRole('button', { name: 'Import', exact: true }).click()
    await row('dropped').waitFor()
    expect((await driven.call('datasets.get', { name: 'dropped' })).dataset.vertices).toBe(4)
  })

  test('an archive as SuiteSparse gives it is dropped, and its matrix becomes the graph', async () => {
    const { page } = driven
    const banner = '%%MatrixMarket matrix'
    const matrix = driven.file('ring.mtx', `${banner} coordinate pattern symmetric\n4 4 4\n2 1\n3 2\n4 3\n4 1\n`)
    driven.file('ring_b.mtx', `${banner} array real general\n4 1\n1\n2\n3\n4\n`)
    const packed = execFileSync('tar', ['-cz', '-C', dirname(matrix), 'ring_b.mtx', 'ring.mtx'])
    await drop({ 'ring.tar.gz': [...packed] })
    await page.getByRole('dialog').getByRole('button', { name: 'Import', exact: true }).click()
    await row('ring').waitFor()
    const { dataset } = await driven.call('datasets.get', { name: 'ring' })
    expect(dataset).toMatchObject({ vertices: 4, arcs: 8, report: { format: 'matrix-market', member: 'ring.mtx' } })
    await driven.call('datasets.remove', { name: 'ring' })
  })

  test('several files that are dropped on another page are asked for once: one graph of all', async () => {
    const { page } = driven
    await driven.goTo('/settings')
    await drop({ 'part-1.txt': '1 2\n2 3\n', 'part-2.txt': '3 4\n', 'part-3.txt': '4 5 0.5\n' })
    const dialog = page.getByRole('dialog')
    const start = dialog.getByRole('button', { name: 'Import', exact: true })
    await dialog.getByText('Say above what the files are.').waitFor()
    expect(await start.isDisabled()).toBe(true)
    expect(await driven.accessibilityFaults()).toEqual([])
    await dialog.getByLabel('One graph').check()
    await dialog.getByText('this file has weights, and').first().waitFor()
    await dialog.getByRole('button', { name: 'Leave part-3.txt out' }).click()
    await dialog.getByText('Say above whether').waitFor({ state: 'hidden' })
    await start.click()
    await row('part-1').waitFor()
    const { dataset } = await driven.call('datasets.get', { name: 'part-1' })
    expect(dataset).toMatchObject({ vertices: 4, arcs: 6, source: 'part-1.txt, part-2.txt' })
  })

  test('of two files one has the vertices, whose attributes come along; so does a column of the edges', async () => {
    const { page } = driven
    await drop({ 'ties.csv': 'source,target,kind\nb,a,road\nc,b,rail\n', 'nodes.csv': 'id,group\na,A\nb,B\nz,A\n' })
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Edges and vertices').click()
    await dialog.getByText('Attributes: group.').waitFor()
    await dialog.getByLabel('What column kind is').selectOption('attribute')
    expect(await driven.accessibilityFaults()).toEqual([])
    await dialog.getByRole('button', { name: 'Import', exact: true }).click()
    await row('ties').waitFor()
    const { dataset } = await driven.call('datasets.get', { name: 'ties' })
    expect(dataset).toMatchObject({ vertices: 4, arcs: 4 })
    expect(dataset.report.attributes).toEqual({
      vertices: [{ name: 'group', kind: 'text', filled: 3 }],
      edges: [{ name: 'kind', kind: 'text', filled: 2 }],
    })
    await driven.goTo('/dataset/ties')
    await page.getByText('group (text, 3)').waitFor()
    await page.getByLabel('Only where').fill("group = 'A'")
    await page.getByText('2 rows').waitFor()
    expect(await driven.accessibilityFaults()).toEqual([])
    await page.getByRole('button', { name: 'Rows' }).click()
    await page.getByRole('menuitem', { name: 'Exclude all for which' }).click()
    await page.getByLabel('Exclude where', { exact: true }).waitFor()
    expect(await page.getByLabel('Exclude where', { exact: true }).inputValue()).toBe("group = 'A'")
    await driven.goTo('/library')
  })

  test('rows that an import would stop at are counted beforehand, by rule and line, and a button mends them', async () => {
    const { page } = driven
    const path = driven.file('broken.txt', '7 8\n9\n10 11\n')
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('File', { exact: true }).fill(path)
    await dialog.getByText('1 column where an edge needs two ids (line 2)').waitFor()
    const start = dialog.getByRole('button', { name: 'Import', exact: true })
    expect(await start.isDisabled()).toBe(true)
    expect(await driven.accessibilityFaults()).toEqual([])
    await dialog.getByRole('button', { name: 'skip and count' }).click()
    await dialog.getByText('Add the missing id').waitFor({ state: 'hidden' })
    await start.click()
    await row('broken').waitFor()
    const { dataset } = await driven.call('datasets.get', { name: 'broken' })
    expect(dataset).toMatchObject({ vertices: 4, arcs: 4 })
  })

  test('a graph is generated, deleted, and brought back', async () => {
    const { page } = driven
    await page.getByRole('button', { name: 'Generate', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name', { exact: true }).fill('made')
    expect(await driven.accessibilityFaults()).toEqual([])
    await dialog.getByRole('button', { name: 'Generate', exact: true }).click()
    await row('made').waitFor()
    await row('made').click()
    await page.keyboard.press('Delete')
    await row('made').waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await row('made').waitFor()
  })

  test('it is found again by search, by its link, and after a reload', async () => {
    const { page } = driven
    await page.getByLabel('Search datasets').fill('str')
    await row('dropped').waitFor({ state: 'hidden' })
    expect(await row('streets').count()).toBe(1)
    await page.reload()
    await row('dropped').waitFor()
  })

  test('no page complained, and none is hard to use', async () => {
    expect(await driven.accessibilityFaults()).toEqual([])
    expect(driven.complaints).toEqual([])
  })
})
