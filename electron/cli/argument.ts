import { InvalidArgumentError } from 'commander'
import { MAX_SEED } from '../../workers/contract/catalogue.ts'
import { sizeUnits } from '../contract/words.ts'
import { deviceIdSchema, deviceListSchema } from '../contract/run.ts'

export function sizeArgument(text: string): number {
  const [, figure, unit] = /^\s*(\d+(?:\.\d+)?)\s*([a-z]*)\s*$/i.exec(text) ?? []
  const factor = unit === undefined ? undefined : sizeUnits[unit.toLowerCase()]
  const bytes = Math.floor(Number(figure) * (factor ?? Number.NaN))
  if (!Number.isSafeInteger(bytes) || bytes < 1) throw new InvalidArgumentError('Write a size such as 512MiB or 4GiB.')
  return bytes
}

const secondsOf: Readonly<Record<string, number>> = { '': 1, s: 1, min: 60, h: 3600 }

export function secondsArgument(text: string): number {
  const [, figure, unit = ''] = /^\s*(\d+(?:\.\d+)?)\s*(s|min|h)?\s*$/.exec(text) ?? []
  const seconds = Number(figure) * secondsOf[unit]!
  if (figure === undefined || seconds <= 0) throw new InvalidArgumentError('Write a time such as 60s, 5min or 1h.')
  return seconds
}

export function integerArgument(smallest: number, largest = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (/^\d+$/.test(text) && value >= smallest && value <= largest) return value
    const range = largest === Number.MAX_SAFE_INTEGER ? `from ${smallest}` : `from ${smallest} to ${largest}`
    throw new InvalidArgumentError(`Write a whole number ${range}.`)
  }
}

export const seedArgument = integerArgument(0, MAX_SEED)

/** From 0 on, without an exponent. */
export function numberArgument(fits: (value: number) => boolean, remedy: string): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (/^\d+(\.\d+)?$/.test(text) && fits(value)) return value
    throw new InvalidArgumentError(remedy)
  }
}

export const radiusArgument = numberArgument(
  (km) => km > 0 && km <= 20_000,
  'Write kilometres above 0 and up to 20000, such as 10 or 2.5.',
)

/** Not "-": standard output has the command's own answer. */
export function outputArgument(text: string): string {
  if (text !== '-' && text !== '') return text
  throw new InvalidArgumentError('Name a file or a pipe: standard output has the answer of the command.')
}

/** Not "", as of a variable that is not set: the default is a library of its own. */
export function libraryArgument(text: string): string {
  if (text !== '') return text
  throw new InvalidArgumentError('Name a folder.')
}

export function deviceListArgument(text: string): string[] {
  const devices = text.split(',').map((device) => device.trim())
  if (devices.every((device) => deviceIdSchema.safeParse(device).success)) return devices
  throw new InvalidArgumentError('Write cpu:0, gpu:0 or auto; "anticlique devices" lists what this machine has.')
}

export function runDevicesArgument(text: string): string {
  const devices = deviceListArgument(text).join(',')
  if (deviceListSchema.safeParse(devices).success) return devices
  throw new InvalidArgumentError('Write auto alone, or devices with commas, such as cpu:0,cpu:1.')
}
