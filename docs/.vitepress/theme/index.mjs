import DefaultTheme from 'vitepress/theme-without-fonts'
import './theme.css'

/** A press on a picture shows it in its own size, in place, and the next one as wide as the page again. */
function resizePictures() {
  document.addEventListener('click', ({ target }) => {
    const picture = target.closest('.picture')
    const isLarge = picture?.classList.toggle('large')
    picture?.setAttribute('aria-pressed', String(isLarge))
  })
}

export default {
  extends: DefaultTheme,
  enhanceApp: () => {
    if (typeof document !== 'undefined') resizePictures()
  },
}
