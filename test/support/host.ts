// A host that has a data folder open with the door for commands, in the test's own process.
import { join } from 'node:path';
import { openCommandDoor } from '../../src/main/hosts/commandDoor.ts';
import { openProduct, type Product } from './product.ts';

export type Host = Product & { said: string[]; stop(): Promise<void> };

/** Opens the product on `home` in the folder, and its door. */
export async function openHost(folder: string): Promise<Host> {
  const home = join(folder, 'home');
  const product = await openProduct(home);
  const said: string[] = [];
  const door = await openCommandDoor({
    app: product,
    folder: home,
    console: null,
    say: (text) => said.push(text),
  });
  return {
    ...product,
    said,
    stop: async () => {
      await door.close();
      await product.close();
    },
  };
}
