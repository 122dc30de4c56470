import '../../electron/contract/no-compiling.ts'
import './socket-bridge.ts'
import { createPinia } from 'pinia'
import { createApp } from 'vue'
import App from './App.vue'
import { makeRouter } from './router.ts'
import './theme/page.css'
import './theme/controls.css'

createApp(App).use(createPinia()).use(makeRouter()).mount('#app')
