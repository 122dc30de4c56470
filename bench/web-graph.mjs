// Graphs with the locality of a crawl, by name: web26 has 2^26 pages and 10^9 arcs, about 14 a page. Pages stand by host, in the order of their
// addresses; a page copies most links of one just before it, links near pages of its host, the first pages of hosts (some far more often than
// others), and now and then any page (the copying model of Kumar et al., FOCS 2000, within hosts). Written as edge lists, which are imported as
// one graph: one of each range of pages, which depends on no other, so that all cores write:
//   node bench/web-graph.mjs FOLDER NAME [K]    makes the files of web26 and the like, of 2^K times fewer pages
import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isMainThread, Worker, workerData } from 'node:worker_threads'
import { randomStream } from '../test/support/random-stream.ts'

/** Pages that may be copied from. */
const LATEST = 1 << 15
const MOST_LINKS = 4000
const FLUSH_CHARACTERS = 1 << 22
const MOST_RANGES = 64
/** Pages of a range, at least: more than a host has. */
const LEAST_PAGES = 1 << 15

export const isWebGraph = (name) => /^web\d+$/.test(name)

const here = fileURLToPath(import.meta.url)
const pagesOf = (name, down) => 2 ** Math.max(4, Number(name.slice(3)) - down)
const rangesOf = (pages) => Math.max(1, Math.min(MOST_RANGES, pages / LEAST_PAGES))
const rangeFile = (folder, pages, range) => join(folder, `web-${pages}-${range}.txt`)

/** Files with the edges of a graph, made where they are not there yet; 2^down times fewer pages. */
export function webGraphFiles(folder, name, down) {
  const { status, stderr } = spawnSync(process.execPath, [here, folder, name, String(down)], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`the links of ${name} were not made: ${stderr}`)
  const pages = pagesOf(name, down)
  return Array.from({ length: rangesOf(pages) }, (_, range) => rangeFile(folder, pages, range))
}

function writeRange(folder, pages, range) {
  const path = rangeFile(folder, pages, range)
  if (existsSync(path)) return
  const file = openSync(`${path}.part`, 'w')
  let text = ''
  for (const [page, links] of linksOf(pages, range)) {
    for (const link of new Set(links)) text += `${page} ${link}\n`
    if (text.length < FLUSH_CHARACTERS) continue
    writeSync(file, text)
    text = ''
  }
  writeSync(file, text)
  closeSync(file)
  renameSync(`${path}.part`, path)
}

/** Draws of at least 1, with a tail of this power. */
const tailOf = (draw) => (power) => (draw() + 1e-9) ** -power

/** The first pages of all hosts. */
function hostsOf(pages) {
  const tail = tailOf(randomStream(7))
  const hosts = []
  for (let page = 0; page < pages; page += Math.floor(Math.min(20_000, 4 * tail(0.8)))) hosts.push(page)
  return hosts
}

/** The pages of the hosts that begin in a range, with their links. */
function* linksOf(pages, range) {
  const hosts = hostsOf(pages)
  const draw = randomStream(1000 + range)
  const tail = tailOf(draw)
  const latest = Array.from({ length: LATEST }, () => [])
  const ofPage = (page) => hosts.findLastIndex((host) => host < page) + 1
  const [first, end] = [range, range + 1].map((each) => ofPage((each * pages) / rangesOf(pages)))
  for (let i = first; i < end; i++) {
    const [host, hostEnd] = [hosts[i], hosts[i + 1] ?? pages]
    for (let page = host; page < hostEnd; page++) {
      const links = []
      if (page > host && draw() < 0.75) {
        const back = Math.min(page - host, Math.floor(tail(0.7)))
        for (const link of latest[(page - back) % LATEST]) if (draw() < 0.85) links.push(link)
      }
      const wanted = Math.min(2000, 6 * tail(0.5))
      while (links.length < wanted) links.push(linkOf(page, { host, hostEnd, hosts, known: i + 1, pages }, draw, tail))
      links.length = Math.min(links.length, MOST_LINKS)
      latest[page % LATEST] = links
      yield [page, links]
    }
  }
}

function linkOf(page, { host, hostEnd, hosts, known, pages }, draw, tail) {
  const where = draw()
  if (where >= 0.97) return Math.floor(draw() * pages)
  if (where >= 0.85) return hosts[Math.floor(known * draw() ** 3)]
  const gap = Math.floor(tail(0.9))
  const near = page + (draw() < 0.5 ? -gap : gap)
  return near >= host && near < hostEnd ? near : host + Math.floor(draw() * Math.min(hostEnd - host, 8))
}

if (!isMainThread) for (const range of workerData.ranges) writeRange(workerData.folder, workerData.pages, range)
else if (process.argv[1] === here) {
  const [folder, name, down = '0'] = process.argv.slice(2)
  mkdirSync(folder, { recursive: true })
  const pages = pagesOf(name, Number(down))
  const all = Array.from({ length: rangesOf(pages) }, (_, range) => range)
  const threads = Math.min(all.length, availableParallelism())
  for (let thread = 0; thread < threads; thread++) {
    const ranges = all.filter((range) => range % threads === thread)
    new Worker(here, { workerData: { folder, pages, ranges } })
  }
}
