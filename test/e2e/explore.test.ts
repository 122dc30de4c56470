import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DrivenWorkbench } from './driven-workbench.ts'

let driven: DrivenWorkbench

/** A star of five, and a graph whose neighbourhoods have more edges than a drawing has room for. */
beforeAll(async () => {
  driven = await DrivenWorkbench.open()
  await driven.call('settings.set', { settings: { theme: 'light' } })
  await driven.call('datasets.import', { source: driven.file('star.txt', '1 2\n1 3\n1 4\n1 5\n') })
  await driven.call('datasets.generate', { model: 'rmat', scale: 14, edgeFactor: 16, seed: 1, name: 'hubs' })
})
afterAll(() => driven.close())

interface Seen {
  /** The share of all pixels that are far from the ground and no vertex. */
  readonly covered: number
  /** The share of all pixels that are not the ground. */
  readonly touched: number
  /** Pixels of vertices, which alone are blue. */
  readonly blue: number
  /** From the first column with a blue pixel to the last. */
  readonly across: number
}

/** What the drawing looks like, by its pixels. */
async function seen(): Promise<Seen> {
  const { page } = driven
  const box = (await page.getByRole('application').boundingBox())!
  // Without the buttons at the right.
  const clip = { ...box, x: box.x + 60, width: box.width - 120 }
  const shot = await page.screenshot({ clip })
  return page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
    const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
    const context = new OffscreenCanvas(image.width, image.height).getContext('2d')!
    context.drawImage(image, 0, 0)
    const { data } = context.getImageData(0, 0, image.width, image.height)
    const ground = [data[0]!, data[1]!, data[2]!]
    let [covered, touched, blue] = [0, 0, 0]
    let [first, last] = [image.width, 0]
    for (let at = 0; at < data.length; at += 4) {
      const [red, , third] = [data[at]!, data[at + 1]!, data[at + 2]!]
      const apart = ground.reduce((sum, channel, i) => sum + Math.abs(channel - data[at + i]!), 0)
      covered += Number(apart > 200 && third - red <= 100)
      touched += Number(apart > 6)
      if (third - red <= 100) continue
      blue++
      const column = (at / 4) % image.width
      ;[first, last] = [Math.min(first, column), Math.max(last, column)]
    }
    const all = image.width * image.height
    return { covered: covered / all, touched: touched / all, blue, across: last - first }
  }, shot.toString('base64'))
}

/** Opens a drawing, and waits until its picture is there and stays. */
async function draw(path: string): Promise<Seen> {
  await driven.goTo(path)
  await driven.page.reload()
  await driven.page.locator('canvas.sigma-nodes').waitFor()
  return still()
}

async function still(): Promise<Seen> {
  let [before, now] = [await seen(), await seen()]
  while (now.blue === 0 || now.blue !== before.blue || now.touched !== before.touched) {
    await driven.page.waitForTimeout(300)
    ;[before, now] = [now, await seen()]
  }
  return now
}

describe('drawings, driven in a browser', () => {
  test.each([
    ['spread', 1000],
    ['rings', 400],
  ])('%s: of %i vertices each is seen, and edges hide nothing', async (layout, limit) => {
    const { covered, touched, blue } = await draw(`/explore/hubs?vertex=0&hops=4&limit=${limit}&layout=${layout}`)
    expect(await driven.page.locator('.legend .count').textContent()).toMatch(/ \d+,\d{3} edges/)
    expect(touched).toBeGreaterThan(0.1)
    // An area of edges that are not translucent covers a third and more.
    expect(covered).toBeLessThan(0.15)
    expect(blue).toBeGreaterThan(10 * limit)
  })

  test('nearer and further, vertices move apart and together, and stay as large', async () => {
    const { page } = driven
    const before = await draw('/explore/star?vertex=1&layout=rings')
    for (let time = 0; time < 4; time++) await page.getByRole('button', { name: 'Zoom out' }).click()
    await expect.poll(async () => (await seen()).across).toBeLessThan(0.6 * before.across)
    const after = await still()
    expect(Math.abs(after.blue / before.blue - 1)).toBeLessThan(0.1)
  })

  test('a vertex that is dragged stays where it was put, and no other moves', async () => {
    const { page } = driven
    await draw('/explore/star?vertex=1&layout=rings')
    const rows = async (): Promise<readonly string[][]> => {
      await page.getByRole('button', { name: 'Save' }).click()
      const coming = page.waitForEvent('download')
      await page.getByRole('menuitem', { name: 'Its vertices as CSV' }).click()
      const text = readFileSync(await (await coming).path(), 'utf8')
      return text
        .trim()
        .split('\n')
        .map((line) => line.split(','))
    }
    const [heads, ...before] = await rows()
    const [x, y] = [heads!.indexOf('x'), heads!.indexOf('y')]
    const box = (await page.getByRole('application').boundingBox())!
    // The middle of the star is in the middle of its rings.
    const [middleX, middleY] = [box.x + box.width / 2, box.y + box.height / 2]
    await page.mouse.move(middleX, middleY)
    await page.mouse.down()
    await page.mouse.move(middleX + 30, middleY + 20, { steps: 4 })
    await page.mouse.move(middleX + 60, middleY + 50, { steps: 4 })
    await page.mouse.up()
    await page.getByRole('button', { name: 'Put moved vertices back' }).waitFor()
    const [, ...after] = await rows()
    const places = (all: readonly string[][]) => new Map(all.map((row) => [row[0]!, [Number(row[x]), Number(row[y])]]))
    const [was, now] = [places(before), places(after)]
    expect(was.size).toBe(5)
    for (const [id, place] of was)
      if (id === '1')
        expect(Math.hypot(now.get(id)![0]! - place[0]!, now.get(id)![1]! - place[1]!)).toBeGreaterThan(0.1)
      else expect(now.get(id)).toEqual(place)
    await page.getByRole('button', { name: 'Put moved vertices back' }).click()
    expect(places((await rows()).slice(1))).toEqual(was)
  })

  test('no page complained', () => {
    expect(driven.complaints).toEqual([])
  })
})
