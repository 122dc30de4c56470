// Graphs with the locality of a crawl, by name: web25 has 2^25 pages and about 14 edges a page. Pages stand by host, in the order of their
// addresses; a page copies most links of one just before it, links near pages of its host, the first pages of hosts (some far more often than
// others), and now and then any page (the copying model of Kumar et al., FOCS 2000, within hosts). Written as an edge list, which is imported.
import { closeSync, existsSync, openSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { randomStream } from '../test/support/random-stream.ts'

/** Pages that may be copied from. */
const LATEST = 1 << 15
const MOST_LINKS = 4000
const FLUSH_CHARACTERS = 1 << 22

export const isWebGraph = (name) => /^web\d+$/.test(name)

/** A file with the edges of a graph, made where it is not there yet; 2^down times fewer pages. */
export function webGraphFile(folder, name, down) {
  const pages = 2 ** Math.max(4, Number(name.slice(3)) - down)
  const path = join(folder, `${name}-${pages}.txt`)
  if (existsSync(path)) return path
  const file = openSync(`${path}.part`, 'w')
  let text = ''
  for (const [page, links] of linksOf(pages)) {
    for (const link of links) text += `${page} ${link}\n`
    if (text.length < FLUSH_CHARACTERS) continue
    writeSync(file, text)
    text = ''
  }
  writeSync(file, text)
  closeSync(file)
  renameSync(`${path}.part`, path)
  return path
}

function* linksOf(pages) {
  const draw = randomStream(7)
  /** At least 1, with a tail of this power. */
  const tail = (power) => (draw() + 1e-9) ** -power
  const latest = Array.from({ length: LATEST }, () => [])
  const hosts = []
  let [host, hostEnd] = [0, 0]
  for (let page = 0; page < pages; page++) {
    if (page >= hostEnd) {
      host = page
      hostEnd = Math.min(pages, page + Math.floor(Math.min(20_000, 4 * tail(0.8))))
      hosts.push(page)
    }
    const links = []
    if (page > host && draw() < 0.75) {
      const back = Math.min(page - host, Math.floor(tail(0.7)))
      for (const link of latest[(page - back) % LATEST]) if (draw() < 0.85) links.push(link)
    }
    const wanted = Math.min(2000, 6 * tail(0.5))
    while (links.length < wanted) links.push(linkOf(page, { host, hostEnd, hosts, pages }, draw, tail))
    links.length = Math.min(links.length, MOST_LINKS)
    latest[page % LATEST] = links
    yield [page, links]
  }
}

function linkOf(page, { host, hostEnd, hosts, pages }, draw, tail) {
  const where = draw()
  if (where >= 0.97) return Math.floor(draw() * pages)
  if (where >= 0.85) return hosts[Math.floor(hosts.length * draw() ** 3)]
  const gap = Math.floor(tail(0.9))
  const near = page + (draw() < 0.5 ? -gap : gap)
  return near >= host && near < hostEnd ? near : host + Math.floor(draw() * Math.min(hostEnd - host, 8))
}
