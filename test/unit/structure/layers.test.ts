import { expect, test } from 'vitest'
import { brokenLayers } from './layers.ts'
import { productFolders, sourceFiles } from './source-files.ts'

const broken = (path: string, text: string): readonly string[] => brokenLayers({ path, text })

test('every folder imports only what it may', () => {
  const files = sourceFiles(productFolders, ['.ts', '.mjs', '.vue'])
  expect(files.length).toBeGreaterThan(20)
  expect(files.flatMap(brokenLayers)).toEqual([])
})

test.each([
  ['renderer/src/App.vue', "import { runEngine } from '../../workers/engine/engine.ts'"],
  ['renderer/src/App.vue', "import { readFile } from 'node:fs'"],
  ['electron/contract/calls.ts', "import { Failure } from '../../workers/base/failure.ts'"],
  ['electron/preload.ts', "import { z } from 'zod'"],
  ['electron/service/service.ts', "import { app } from 'electron'"],
  ['electron/service/service.ts', "import Database from 'better-sqlite3'"],
  ['electron/service/service.ts', "import { sweep } from '../../workers/algorithms/ecl-mis.ts'"],
  ['electron/service/service.ts', "const page = await import('../../renderer/src/main.ts')"],
  ['workers/algorithms/ecl-mis.ts', "import { create } from 'webgpu'"],
  ['workers/algorithms/ecl-mis/run.ts', "import { planWork } from '../../jobs/plan.ts'"],
  ['workers/export/export-set.ts', "import { verify } from '../verify/verify.ts'"],
  ['workers/base/trace.ts', "import type { DeviceFacts } from '../contract/jobs.ts'"],
  ['workers/loose.ts', "import { Failure } from './base/failure.ts'"],
  ['workers/engine/engine.ts', "import {\n  calls,\n  isCallName,\n} from '../../electron/contract/calls.ts'"],
  ['kernels/mis/mis-scan.ts', "import { Failure } from '../../workers/base/failure.ts'"],
])('%s may not contain %j', (path, text) => {
  expect(broken(path, text)).toHaveLength(1)
})

test.each([
  ['renderer/src/App.vue', "import { calls } from '../../electron/contract/calls.ts'"],
  ['electron/contract/calls.ts', "import type { FailureValue } from '../../workers/base/failure.ts'"],
  ['electron/host/ipc-host.ts', "import { ipcMain } from 'electron'"],
  ['electron/library/database.ts', "import Database from 'better-sqlite3'"],
  ['workers/device/gpu-device.ts', "import { create } from 'webgpu'"],
  ['kernels/mis/mis-scan.ts', "import type { Failure } from '../../workers/base/failure.ts'"],
])('%s may contain %j', (path, text) => {
  expect(broken(path, text)).toEqual([])
})

test('a broken rule is told in a sentence', () => {
  expect(broken('renderer/src/App.vue', "import { engine } from '../../workers/engine/engine.ts'")).toEqual([
    'renderer/src/App.vue imports workers/engine/engine.ts; allowed: renderer, electron/contract, and the packages of the page.',
  ])
})
