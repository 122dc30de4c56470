import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

// Waiting until files are on the disk takes up to half of the time of tests that write thousands of small ones, and it is of
// use only where a machine loses its power, which no test brings about. Programs that tests start flush as ever.
const done = (_file: number, callback: fs.NoParamCallback): void => void setImmediate(callback, null)
Object.assign(fs, { fsyncSync: () => {}, fsync: done, fdatasync: done, fdatasyncSync: () => {} })
syncBuiltinESMExports()
