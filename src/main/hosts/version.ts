// The product's version, written into the build.
import product from '../../../package.json' with { type: 'json' };

export const VERSION: string = product.version;
