// What an image is, by its first bytes: names and declared types say what somebody hoped.

const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const jpeg = Buffer.from([0xff, 0xd8, 0xff])

/** jpg, png, or null for anything else: the service takes no other images. */
export function typeOfImage(bytes: Buffer): 'jpg' | 'png' | null {
  if (bytes.subarray(0, png.length).equals(png)) return 'png'
  return bytes.subarray(0, jpeg.length).equals(jpeg) ? 'jpg' : null
}
