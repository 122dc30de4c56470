import { createRouter, createWebHashHistory, type Router, type RouteRecordRaw } from 'vue-router'
import LibraryPage from './pages/LibraryPage.vue'

/**
 * Every page has a link. They lie behind the hash, so that they work alike in the window (a scheme of its own), under
 * `anticlique serve`, and from a file; the library comes with the page, all others when they are opened.
 */
const routes: readonly RouteRecordRaw[] = [
  { path: '/', redirect: '/library' },
  { path: '/library', name: 'library', component: LibraryPage },
  { path: '/dataset/:name', name: 'dataset', component: () => import('./pages/DatasetPage.vue') },
  { path: '/new-run', name: 'new-run', component: () => import('./pages/NewRunPage.vue') },
  { path: '/runs', name: 'runs', component: () => import('./pages/RunsPage.vue') },
  { path: '/run/:id', name: 'run', component: () => import('./pages/RunPage.vue') },
  { path: '/compare', name: 'compare', component: () => import('./pages/ComparePage.vue') },
  { path: '/explore/:dataset?', name: 'explore', component: () => import('./pages/ExplorePage.vue') },
  { path: '/devices', name: 'devices', component: () => import('./pages/DevicesPage.vue') },
  { path: '/settings', name: 'settings', component: () => import('./pages/SettingsPage.vue') },
  { path: '/:rest(.*)*', name: 'not-found', component: () => import('./pages/NotFoundPage.vue') },
]

export function makeRouter(): Router {
  return createRouter({ history: createWebHashHistory(), routes: [...routes] })
}
