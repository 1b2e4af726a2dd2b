// @ts-check
// Brotli and gzip beside each text file of the console, made once by the build: a server only picks one.
import { readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const TEXTS = new Set(['.html', '.js', '.css', '.svg', '.json']);
/** A smaller file fits into one packet as it is. */
const COMPRESSED_MIN_BYTES = 1024;

/** @param {Buffer} bytes */
const toBrotli = (bytes) =>
  promisify(brotliCompress)(bytes, {
    params: {
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });
/** @param {Buffer} bytes */
const toGzip = (bytes) => promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION });

/** @param {string} path */
async function compressFile(path) {
  const bytes = await readFile(path);
  if (bytes.length < COMPRESSED_MIN_BYTES) return;
  const [brotli, gzipped] = await Promise.all([toBrotli(bytes), toGzip(bytes)]);
  await Promise.all([writeFile(`${path}.br`, brotli), writeFile(`${path}.gz`, gzipped)]);
}

/**
 * A plug-in of the build for the files of the renderer.
 * @returns {import('vite').Plugin}
 */
export function compressOutput() {
  return {
    name: 'interject:compress',
    apply: 'build',
    async writeBundle({ dir }) {
      if (dir === undefined) return;
      const paths = readdirSync(dir, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && TEXTS.has(extname(entry.name)))
        .map((entry) => join(entry.parentPath, entry.name));
      await Promise.all(paths.map(compressFile));
    },
  };
}
