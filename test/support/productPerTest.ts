// A product of its own for each test of a file.
import { afterEach, beforeEach } from 'vitest';
import { openProduct, removeFolder, type Product } from './product.ts';

/** Opened before each test and handed over; closed after it, and its folder removed. */
export function productPerTest(take: (product: Product) => void): void {
  let product: Product;
  beforeEach(async () => {
    product = await openProduct();
    take(product);
  });
  afterEach(async () => {
    await product.close();
    removeFolder(product.folder);
  });
}
