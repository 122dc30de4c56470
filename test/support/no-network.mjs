// With --import: every attempt of a process and its threads to reach another machine, or this one over the network, is written down and fails.
import dgram from 'node:dgram'
import dns from 'node:dns'
import { appendFileSync } from 'node:fs'
import nodeModule from 'node:module'
import net from 'node:net'

const connect = net.Socket.prototype.connect
const refuse = (what, words) => {
  appendFileSync(process.env.NETWORK_LOG, `${what} ${JSON.stringify(words)}\n`)
  throw new Error(`no network: ${what}`)
}

net.Socket.prototype.connect = function (...words) {
  const [options] = words.flat()
  // Pipes of this machine are no network.
  if (typeof options?.path === 'string') return connect.apply(this, words)
  return refuse('connect', words)
}
for (const name of ['lookup', 'resolve', 'resolve4', 'resolve6']) {
  const original = dns[name]
  // A server that listens on an address has it looked up, too.
  dns[name] = (...words) => (net.isIP(words[0]) === 0 ? refuse(name, words) : original(...words))
  dns.promises[name] = (...words) => refuse(name, words)
}
for (const name of ['bind', 'connect', 'send'])
  dgram.Socket.prototype[name] = (...words) => refuse(`datagram ${name}`, words)
nodeModule.syncBuiltinESMExports()
