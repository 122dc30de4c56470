/** The page of the devices, and where else they show. */
export const devices = {
  memoryOf: (device: string): string => `Memory of ${device} in use`,
  memoryUnknown: 'nobody tells its memory',
}
