import { describe, expect, it } from 'vitest'
import { memoryCopy } from '../../../kernels/memory/memory-copy.ts'
import { fillWords } from '../../../workers/device/device.ts'
import { GpuDevice } from '../../../workers/device/gpu-device.ts'
import { openDevice } from '../../../workers/device/open-device.ts'
import { hasGpu } from '../../support/devices-here.ts'

describe.runIf(hasGpu)('a GPU device between two runs', () => {
  const words = Uint32Array.from({ length: 1000 }, (_, i) => i)

  async function use(device: GpuDevice): Promise<Uint32Array> {
    await device.prepare([memoryCopy])
    const original = await device.share('original', words)
    const copied = await device.allocate('copied', words.length)
    device.launch(memoryCopy, 1024, { count: words.length, stride: 1024 }, { original, copied })
    const result = await device.read(copied, 0, words.length)
    for (const buffer of [original, copied]) device.release(buffer)
    return result
  }

  const open = async (): Promise<GpuDevice> => {
    const device = await openDevice('gpu:0')
    if (!(device instanceof GpuDevice)) throw new Error('gpu:0 is no GPU')
    return device
  }

  it('is kept, counts anew and computes as before', async () => {
    const first = await open()
    expect(await use(first)).toEqual(words)
    expect(first.copied.toDevice).toBe(4 * words.length)
    first.close()
    const second = await open()
    expect(second).toBe(first)
    expect(second.copied).toEqual({ toDevice: 0, fromDevice: 0 })
    expect(await second.takePhaseMs()).toEqual({})
    expect(await use(second)).toEqual(words)
    second.close()
  })

  it('takes more fills at a time than there are staging buffers', async () => {
    const device = await open()
    const parts = 20
    const buffer = await device.allocate('filled in parts', parts * words.length)
    const fill = (part: number): Promise<void> =>
      fillWords(
        device,
        buffer,
        words.map((word) => word + part),
        part * words.length,
      )
    await Promise.all(Array.from({ length: parts }, (_, part) => fill(part)))
    const filled = await device.read(buffer, 0, parts * words.length)
    expect(filled).toEqual(
      Uint32Array.from({ length: parts * words.length }, (_, i) => (i % 1000) + Math.floor(i / 1000)),
    )
    device.release(buffer)
    device.close()
  })

  it('fills after a fill that failed', async () => {
    const device = await open()
    const buffer = await device.allocate('filled', words.length)
    const fails = (): Promise<void> => Promise.reject(new Error('the file ends'))
    // As many as there are staging buffers, and one more.
    for (let i = 0; i < 5; i++)
      await expect(device.upload(buffer, 4 * words.length, fails)).rejects.toThrow('the file ends')
    await fillWords(device, buffer, words)
    expect(await device.read(buffer, 0, words.length)).toEqual(words)
    device.release(buffer)
    device.close()
  })

  it('refuses an array that no kernel of it sees whole', async () => {
    const device = await open()
    const words = device.maxBufferBytes / 4 + 1
    await expect(device.allocate('keys', words)).rejects.toMatchObject({
      code: 'device',
      what: `a kernel sees ${device.maxBufferBytes} bytes at a time, and "keys" takes ${4 * words}`,
      fixes: [
        { action: 'set', option: 'device', to: 'cpu:0' },
        { action: 'lower', option: 'memoryBytes' },
      ],
    })
    device.close()
  })

  it('is not shared by two who have it at a time', async () => {
    const [one, two] = [await open(), await open()]
    expect(two).not.toBe(one)
    expect(await use(one)).toEqual(words)
    expect(await use(two)).toEqual(words)
    one.close()
    two.close()
    const kept = await open()
    expect(kept).toBe(two)
    kept.close()
  })

  it('is not kept with anything left on it', async () => {
    const first = await open()
    await first.allocate('left', 16)
    first.close()
    const second = await open()
    expect(second).not.toBe(first)
    expect(await use(second)).toEqual(words)
    second.close()
  })

  it('is not kept once it was lost', async () => {
    const first = await open()
    first.destroy()
    await expect(use(first)).rejects.toMatchObject({ code: expect.stringMatching(/lost|device/) as string })
    first.close()
    const second = await open()
    expect(second).not.toBe(first)
    expect(await use(second)).toEqual(words)
    second.close()
  })
})
