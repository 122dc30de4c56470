import { SocketBridge } from './socket-bridge.ts'

// In the window the preload script was here before; a page that came over HTTP without it is under `anticlique serve`.
if (window.anticlique === undefined && location.protocol.startsWith('http')) {
  // What is read again when a person comes back to the page is what may have changed while the connection was lost.
  const bridge = new SocketBridge(location.origin, () => window.dispatchEvent(new Event('focus')))
  Object.defineProperty(window, 'anticlique', { value: bridge })
}
