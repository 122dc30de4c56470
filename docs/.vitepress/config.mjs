// The site of the documents: everything in docs, with a search, for phone and desktop, light and dark. It is the Help of the window and of `anticlique serve`,
// whose policy takes no inline script or style and no other origin; resources/site/site.mjs builds it. ANTICLIQUE_SITE names the folder of a web server, such
// as /anticlique/, for which it is built with links to the network and to its sources.
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join, posix } from 'node:path'
import { defineConfig } from 'vitepress'

const docs = join(import.meta.dirname, '..')
const place = process.env.ANTICLIQUE_SITE
const base = place ?? '/help/'
const sources = 'https://github.com/anticlique/anticlique'

/** Documents that are not named here come at the end of the last group: none is forgotten. */
const groups = {
  Start: ['guide', 'first-steps', 'recipes', 'troubleshooting'],
  Answers: ['algorithms', 'sets', 'matching', 'colouring', 'searches', 'distance-sets', 'spins', 'glossary'],
  'Your data, your machines': ['formats', 'scripts', 'packages', 'cluster', 'security'],
  Reference: ['commands', 'command-line', 'results', 'reliability'],
  Inside: ['architecture', 'dependencies'],
}

const titleOf = (path) => /^# (.+)$/m.exec(readFileSync(join(docs, path), 'utf8'))?.[1] ?? path
const pageOf = (name) => ({ text: titleOf(`${name}.md`), link: `/${name}` })

function sidebar() {
  const named = ['index', ...Object.values(groups).flat()]
  const others = globSync('*.md', { cwd: docs })
    .map((path) => basename(path, '.md'))
    .filter((name) => !named.includes(name))
  const decisions = globSync('decisions/*.md', { cwd: docs }).map((path) =>
    path.replaceAll('\\', '/').replace('.md', ''),
  )
  const choices = decisions.sort().map(pageOf)
  const inside = [...[...groups.Inside, ...others.sort()].map(pageOf), { text: 'Decisions', link: choices[0].link }]
  const lists = Object.entries(groups).map(([text, names]) => ({
    text,
    items: text === 'Inside' ? inside : names.map(pageOf),
  }))
  return {
    '/decisions/': [
      { text: 'Documents', items: lists[0].items },
      { text: 'Decisions', items: choices },
    ],
    '/': lists,
  }
}

const escape = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** The longest cell of a table of figures. */
const LONGEST_FIGURE = 32

/** Headings are called as in links between the documents. */
const idOf = (title) =>
  title
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .replace(/\s/g, '-')

/** Sources are not part of the site; in the window nothing leads to the network. */
function ownLinks(markdown) {
  const { link_open: open, link_close: close } = markdown.renderer.rules
  const draw = (rule, tokens, index, options, env, self) =>
    rule?.(tokens, index, options, env, self) ?? self.renderToken(tokens, index, options)
  const leaves = []
  markdown.renderer.rules.link_open = (tokens, index, options, env, self) => {
    const href = tokens[index].attrGet('href') ?? ''
    const isElsewhere = /^https?:/.test(href)
    const path = posix.join(posix.dirname(env.relativePath ?? ''), href.split('#')[0])
    const isSource = !isElsewhere && !href.startsWith('#') && (path.startsWith('..') || !/\.(?:md|html)$/.test(path))
    const becomes = place === undefined ? isElsewhere || isSource : false
    leaves.push(becomes ? (isElsewhere ? ` (${escape(href)})` : '') : null)
    if (becomes) return `<span class="${isElsewhere ? 'elsewhere' : 'source'}">`
    if (isSource) tokens[index].attrSet('href', `${sources}/tree/main/${posix.join('docs', path)}`)
    return draw(open, tokens, index, options, env, self)
  }
  markdown.renderer.rules.link_close = (tokens, index, options, env, self) => {
    const after = leaves.pop()
    return after === null || after === undefined ? draw(close, tokens, index, options, env, self) : `${after}</span>`
  }
}

/** Tables of figures have short cells, of which a column of names stays where they scroll. */
function kindOf(tokens, index) {
  const end = tokens.findIndex(({ type }, at) => at > index && type === 'table_close')
  const cells = tokens.slice(index, end).filter(({ type }) => type === 'inline')
  return cells.every(({ content }) => content.length <= LONGEST_FIGURE) ? 'wide figures' : 'wide'
}

/** Columns of figures: an attribute `style` would be an inline style. */
function ownTables(markdown) {
  for (const name of ['th_open', 'td_open'])
    markdown.renderer.rules[name] = (tokens, index, options, _, self) => {
      const style = tokens[index].attrs?.findIndex(([key]) => key === 'style') ?? -1
      if (style >= 0) tokens[index].attrs[style] = ['class', 'right']
      return self.renderToken(tokens, index, options)
    }
  markdown.renderer.rules.table_open = (tokens, index) =>
    `<div class="${kindOf(tokens, index)}" tabindex="0" role="group" aria-label="Table"><table>\n`
  markdown.renderer.rules.table_close = () => '</table></div>\n'
}

/** Words of code that a line may not break, at hyphens: long ones may. */
const LONGEST_WORD = 28

function ownCode(markdown) {
  markdown.renderer.rules.code_inline = (tokens, index) => {
    const words = tokens[index].content.split(' ').map((word) => {
      const isWhole = word.includes('-') && word.length <= LONGEST_WORD
      return isWhole ? `<span class="word">${escape(word)}</span>` : escape(word)
    })
    return `<code v-pre>${words.join(' ')}</code>`
  }
}

/** A picture is a button, as it is small on a telephone (theme/index.mjs). */
function ownPictures(markdown) {
  const { image } = markdown.renderer.rules
  markdown.renderer.rules.image = (...given) => `<button type="button" class="picture">${image(...given)}</button>`
}

const scripts = new Set()
const bundled = new Map()

/** Which packages are in the pages: their notices are made from it. */
const bundledPackages = {
  name: 'bundled-packages',
  generateBundle(_, chunks) {
    for (const { moduleIds = [] } of Object.values(chunks))
      for (const id of moduleIds) {
        const [, folder, name] = /^(.*\/node_modules\/((?:@[^/]+\/)?[^/]+))\//.exec(id.replaceAll('\\', '/')) ?? []
        if (folder === undefined || !existsSync(join(folder, 'package.json'))) continue
        bundled.set(folder, { name, version: JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version })
      }
  },
}

export default defineConfig({
  title: 'Anticlique',
  description: 'Large independent sets and heavy matchings in large graphs, with a proof of how good they are',
  base,
  outDir: process.env.ANTICLIQUE_SITE_OUT ?? '../out/site',
  cacheDir: '../out/site-cache',
  metaChunk: true,
  lastUpdated: false,
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  // What is added to a page for a moment when its theme changes would be an inline style.
  appearance: { disableTransition: false },
  markdown: {
    anchor: { slugify: idOf },
    highlight: (code) => `<pre v-pre tabindex="0"><code>${escape(code)}</code></pre>`,
    config(markdown) {
      ownLinks(markdown)
      ownTables(markdown)
      ownCode(markdown)
      ownPictures(markdown)
    },
  },
  vite: { plugins: [bundledPackages], build: { chunkSizeWarningLimit: 2000 }, logLevel: 'warn' },
  themeConfig: {
    nav: [
      place === undefined
        ? { text: 'Workbench', link: '../index.html', target: '_self' }
        : { text: 'Sources', link: sources },
    ],
    sidebar: sidebar(),
    outline: [2, 3],
    search: {
      provider: 'local',
      options: { miniSearch: { searchOptions: { combineWith: 'AND', fuzzy: 0.1, prefix: true } } },
    },
    externalLinkIcon: true,
    ...(place === undefined
      ? {}
      : { editLink: { pattern: `${sources}/edit/main/docs/:path`, text: 'Edit this page' } }),
    docFooter: { prev: 'Before', next: 'Next' },
  },
  transformHtml(html) {
    return html
      .replace('<html ', place === undefined ? '<html class="of-window" ' : '<html ')
      .replace(/<script id="[^"]*">([^]*?)<\/script>/g, (_, script) => (scripts.add(script), ''))
      .replace(/<(\w[^<>]*?) style="[^"]*"/g, '<$1')
      .replace('</head>', `<script src="${base}early.js"></script></head>`)
  },
  buildEnd({ outDir }) {
    writeFileSync(join(outDir, 'early.js'), [...scripts].join('\n'))
    writeFileSync(join(outDir, 'bundled.json'), JSON.stringify([...bundled.values()], null, 1))
  },
})
