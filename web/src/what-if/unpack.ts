// What the report carries inside itself: gzip in base64, in script elements that no browser runs.

export const LACKING =
  'What-if needs WebAssembly and DecompressionStream, and this browser lacks %. ' +
  'The report is whole without it; a browser of 2023 or later answers here, too.'

/** Names what the browser lacks; nothing if it has all. */
export function lacking(scope: object = globalThis): string | null {
  const missing = ['WebAssembly', 'DecompressionStream', 'Worker'].filter((name) => !(name in scope))
  return missing.length ? LACKING.replace('%', missing.join(' and ')) : null
}

export async function unpacked(base64: string): Promise<Uint8Array> {
  const bytes = Uint8Array.from(atob(base64.trim()), (letter) => letter.charCodeAt(0))
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))
  return new Uint8Array(await new Response(stream).arrayBuffer())
}

/** The content of an element of the report; nothing if the report was written without it. */
export async function carriedBytes(id: string, page: Document = document): Promise<Uint8Array | null> {
  const text = page.getElementById(id)?.textContent
  if (!text?.trim()) return null
  try {
    return await unpacked(text)
  } catch {
    throw new Error(
      `The report is damaged: its part “${id}” cannot be read. Write it again with \`drivecast plan\`.`,
    )
  }
}
