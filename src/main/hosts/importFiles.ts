// Has a product read files of this machine, and hears of each episode and each file.
import type { Outputs } from '../../shared/contract/contract.ts';
import type { FoundFile } from '../dataset/import/findFiles.ts';
import type { Product } from './product.ts';

export type ImportNews = Outputs['import.wait']['news'][number];

type How = {
  isLossy: boolean;
  /** Tells how each episode stands in the list. */
  withRows: boolean;
  /** Bytes that were dealt with, of about twice the size of all files. */
  onBytes?: (bytes: number) => void;
};

/** The interval of progress on a large file. */
const BYTES_MS = 1_000;

/** The news in order: the episodes of a file before the file. */
export async function* importFiles(
  product: Product,
  files: readonly FoundFile[],
  { isLossy, withRows, onBytes }: How,
): AsyncGenerator<ImportNews> {
  if (files.length === 0) return;
  const { import: id } = await product.call('import.read', {
    files: files.map(({ name, path, beside, remarks }) => ({
      name,
      path,
      beside: [...beside],
      ...(remarks === undefined ? {} : { remarks }),
    })),
    lossy: isLossy,
  });
  let toldAt = Date.now();
  const unwatch = product.subscribe({ topic: 'imports' }, (push) => {
    const job = push.topic === 'imports' ? push.jobs.find((one) => one.import === id) : undefined;
    if (job === undefined || Date.now() - toldAt < BYTES_MS) return;
    toldAt = Date.now();
    onBytes?.(job.done);
  });
  try {
    for (let after = 0; ;) {
      const { news, is_over: isOver } = await product.call('import.wait', {
        import: id,
        after,
        with_rows: withRows,
      });
      after += news.length;
      yield* news;
      if (isOver) return;
    }
  } finally {
    unwatch();
    // Takes it from the list of those that are over.
    await product.call('import.cancel', { import: id }).catch(() => undefined);
  }
}
