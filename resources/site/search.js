// Finds sections that contain every word that is typed, those with it in their titles first.
const box = document.getElementById('search')
const found = document.getElementById('found')
const page = document.getElementById('page')
const MOST = 30
const AROUND = 90
let sections = null

/** The text around the first word. */
function excerpt(text, word) {
  const at = Math.max(0, text.toLowerCase().indexOf(word) - AROUND)
  return `${at > 0 ? '... ' : ''}${text.slice(at, at + 2 * AROUND)}`
}

function entry({ href, page: of, title, words }, first) {
  const link = document.createElement('a')
  link.href = box.dataset.up + href
  link.textContent = of === title ? title : `${of}: ${title}`
  link.addEventListener('click', () => show([]))
  const text = document.createElement('p')
  text.textContent = excerpt(words, first)
  const item = document.createElement('li')
  item.append(link, text)
  return item
}

function show(words) {
  found.hidden = words.length === 0
  page.hidden = words.length > 0
  if (words.length === 0) return found.replaceChildren()
  const has = (text) => words.every((word) => text.toLowerCase().includes(word))
  const all = sections.filter(({ page: of, title, words: text }) => has(`${of} ${title} ${text}`))
  const best = [...all.filter(({ title }) => has(title)), ...all.filter(({ title }) => !has(title))].slice(0, MOST)
  const heading = document.createElement('h1')
  heading.textContent = all.length === 0 ? 'Nothing found' : `${all.length} found`
  const list = document.createElement('ul')
  list.append(...best.map((section) => entry(section, words[0])))
  found.replaceChildren(heading, list)
}

box.addEventListener('input', async () => {
  sections ??= (await import('./index.js')).sections
  show(box.value.toLowerCase().split(/\s+/).filter(Boolean))
})
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && document.activeElement === box) {
    box.value = ''
    show([])
  } else if (event.key === '/' && document.activeElement !== box) {
    event.preventDefault()
    box.focus()
  }
})
