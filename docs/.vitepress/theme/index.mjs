import DefaultTheme from 'vitepress/theme-without-fonts'
import { withBase } from 'vitepress'
import { h } from 'vue'
import './theme.css'

/** A press on a picture shows it in its own size, in place, and the next one as wide as the page again. */
function resizePictures() {
  document.addEventListener('click', ({ target }) => {
    const picture = target.closest('.picture')
    const isLarge = picture?.classList.toggle('large')
    picture?.setAttribute('aria-pressed', String(isLarge))
  })
}

/** What an address that leads nowhere shows. */
const noPage = () =>
  h('main', { class: 'vp-doc no-page' }, [
    h('h1', 'There is no such page'),
    h('p', [h('a', { href: withBase('/') }, 'What the documents are about'), ', or a search above, leads further.']),
  ])

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { 'not-found': noPage }),
  enhanceApp: () => {
    if (typeof document !== 'undefined') resizePictures()
  },
}
