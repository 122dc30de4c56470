import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { compiledCodeLocation, libraryLocation } from '../../../electron/library/location.ts'

const linux = { platform: 'linux', home: '/home/ada' } as const

test('what is named wins over the environment, and that over the default', () => {
  const env = { ANTICLIQUE_LIBRARY: '/graphs' }
  expect(libraryLocation('mine', { ...linux, env })).toBe(resolve('mine'))
  expect(libraryLocation(undefined, { ...linux, env })).toBe('/graphs')
  expect(libraryLocation(undefined, { ...linux, env: { ANTICLIQUE_LIBRARY: '' } })).toBe(
    '/home/ada/.local/share/anticlique',
  )
})

test('the default is the data folder of the platform', () => {
  expect(libraryLocation(undefined, { ...linux, env: { XDG_DATA_HOME: '/var/ada' } })).toBe('/var/ada/anticlique')
  expect(libraryLocation(undefined, { platform: 'darwin', home: '/Users/ada', env: {} })).toBe(
    '/Users/ada/Library/Application Support/Anticlique',
  )
  expect(libraryLocation(undefined, { platform: 'win32', home: '/Users/ada', env: { LOCALAPPDATA: '/local' } })).toBe(
    '/local/Anticlique',
  )
})

test('compiled code is where no other user can leave any', () => {
  expect(compiledCodeLocation('/tmp', { ...linux, env: {} })).toBe('/home/ada/.cache/anticlique')
  expect(compiledCodeLocation('/tmp', { ...linux, env: { XDG_CACHE_HOME: '/c' } })).toBe('/c/anticlique')
  const mac = { platform: 'darwin', home: '/Users/ada', env: {} } as const
  expect(compiledCodeLocation('/private/T', mac)).toBe('/private/T/node-compile-cache')
})
