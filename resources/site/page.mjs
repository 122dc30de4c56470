// A document as a page of the site, and its links.
import { posix } from 'node:path'
import { Marked } from 'marked'

const escape = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
const plain = (html) =>
  html
    .replace(/<[^>]+>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
/** As links in the documents name a heading. */
const idOf = (title) =>
  title
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .replace(/\s/g, '-')
const fileOf = (path) => path.replace(/\.md$/, '.html')

/**
 * @param source `{ path, group, text }`
 * @returns `{ file, group, title, images, sections, html(pages) }`
 */
export function renderPage({ path, group, text }) {
  const images = []
  const sections = []
  const file = fileOf(path)
  const marked = new Marked({
    walkTokens(token) {
      if (token.type === 'image') images.push(posix.join(posix.dirname(path), token.href))
    },
    renderer: {
      heading({ tokens, depth }) {
        const inner = this.parser.parseInline(tokens)
        return `<h${depth} id="${idOf(plain(inner))}">${inner}</h${depth}>\n`
      },
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens)
        const [target, heading] = href.split('#')
        const page = target === '' ? path : posix.join(posix.dirname(path), target)
        if (/^https?:/.test(href)) return `<span class="elsewhere">${inner} (${escape(href)})</span>`
        if (/\.(svg|png|webp)$/.test(page)) images.push(page)
        // Sources, and folders of them, are not part of the site.
        else if (!page.endsWith('.md') || page.startsWith('..')) return `<span class="source">${inner}</span>`
        const from = posix.relative(posix.dirname(file), fileOf(page))
        return `<a href="${escape(from)}${heading === undefined ? '' : `#${escape(heading)}`}">${inner}</a>`
      },
      table(token) {
        const row = (cells, name) =>
          `<tr>${cells.map(({ tokens, align }) => `<${name}${align === 'right' ? ' class="right"' : ''}>${this.parser.parseInline(tokens)}</${name}>`).join('')}</tr>`
        const body = token.rows.map((cells) => row(cells, 'td')).join('\n')
        return `<div class="table" tabindex="0" role="group" aria-label="Table"><table><thead>${row(token.header, 'th')}</thead><tbody>${body}</tbody></table></div>\n`
      },
      code: ({ text: code }) => `<pre tabindex="0"><code>${escape(code)}</code></pre>\n`,
    },
  })
  const body = marked.parse(text)
  const title = plain(/<h1[^>]*>(.*?)<\/h1>/s.exec(body)?.[1] ?? path)
  for (const part of body.split(/(?=<h[1-6] id=)/)) {
    const found = /^<h\d id="([^"]*)">(.*?)<\/h\d>/s.exec(part)
    const words = plain(part.slice(found?.[0].length ?? 0))
      .replace(/\s+/g, ' ')
      .trim()
    if (found !== null) sections.push({ href: `${file}#${found[1]}`, page: title, title: plain(found[2]), words })
  }
  return { file, group, title, images, sections, html: (pages) => frame({ file, title, body }, pages) }
}

function frame({ file, title, body }, pages) {
  const up = '../'.repeat(file.split('/').length - 1)
  const link = (page) =>
    `<li><a href="${up}${page.file}"${page.file === file ? ' aria-current="page"' : ''}>${escape(page.title)}</a></li>`
  const groups = [...new Set(pages.map(({ group }) => group))]
  const navigation = groups
    .map((group) => {
      const inside = pages.filter((page) => page.group === group)
      const decisions = inside.filter((page) => page.file.includes('/'))
      const folded =
        decisions.length === 0
          ? ''
          : `<details${file.includes('/') ? ' open' : ''}><summary>Decisions</summary><ul>${decisions.map(link).join('')}</ul></details>`
      const list = inside.filter((page) => !decisions.includes(page)).map(link)
      return `<h2>${group}</h2><ul>${list.join('')}</ul>${folded}`
    })
    .join('\n')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${up}site.css">
<script type="module" src="${up}search.js"></script>
<title>${escape(title)} - Anticlique</title>
</head>
<body>
<header>
<a class="home" href="${up}../index.html">Workbench</a>
<input type="search" id="search" placeholder="Search (/)" aria-label="Search the documentation" data-up="${up}" autocomplete="off">
</header>
<nav aria-label="Documentation">
${navigation}
</nav>
<main>
<section id="found" aria-live="polite" aria-label="Found" hidden></section>
<article id="page">
${body}</article>
</main>
</body>
</html>
`
}

/** Sentences about links and images that lead nowhere. @param files the site by its paths */
export function deadLinks(files) {
  const hasId = (file, id) => String(files.get(file)).includes(`id="${id}"`)
  const isThere = (file, href) => {
    const [target, id] = href.split('#')
    const path = target === '' ? file : posix.join(posix.dirname(file), target)
    return path === '../index.html' || (files.has(path) && (id === undefined || hasId(path, id)))
  }
  return [...files]
    .filter(([file]) => file.endsWith('.html'))
    .flatMap(([file, html]) =>
      [...String(html).matchAll(/ (?:href|src)="([^"]*)"/g)]
        .map((match) => match[1])
        .filter((href) => !href.startsWith('data:') && !isThere(file, href))
        .map((href) => `${file} links to ${href}, which is not there.`),
    )
}
