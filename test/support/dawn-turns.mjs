// Dawn's binding looks for its events with `setImmediate`, in every turn of the event loop for as long as anything is awaited: a processor is
// busy with looking while others compile a kernel or compute in software. Here it looks so for a millisecond, and then once in each.
// gpu-environment.mjs has it loaded by all processes of the tests, those that tests start among them, and by their threads.

const SPIN_MS = 1
const { setImmediate: atOnce, setTimeout: later } = globalThis
/** Tests may put a clock of their own in its place. */
const nowMs = performance.now.bind(performance)
/** When the wait began that the running callback belongs to; undefined outside of one. */
let waitingSinceMs

/** Dawn's callbacks are native functions; so is what resolves a promise, which begins a wait of its own each time. */
const isNative = (callback) => /\[native code\]/.test(Function.prototype.toString.call(callback))

function looksSeldom(callback, ...given) {
  if (typeof callback !== 'function' || !isNative(callback)) return atOnce(callback, ...given)
  const sinceMs = waitingSinceMs ?? nowMs()
  const look = () => {
    waitingSinceMs = sinceMs
    try {
      callback(...given)
    } finally {
      waitingSinceMs = undefined
    }
  }
  return nowMs() - sinceMs < SPIN_MS ? atOnce(look) : later(look, 1)
}

globalThis.setImmediate = Object.assign(looksSeldom, atOnce)
