"""An array over all plot states that reads a state when it is asked for it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class StateArray:
    """Values of all states, (states, ...): `a[-1]`, `a[2:8, nodes]`, `np.asarray(a)`.

    Only the states that an index asks for are read. NumPy's functions take it as an array, and read it whole.
    """

    name: str
    shape: tuple[int, ...]
    dtype: np.dtype
    read: Callable[[int], np.ndarray]  #: the values of one state, `shape[1:]`

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of values."""
        return int(np.prod(self.shape))

    @property
    def nbytes(self) -> int:
        """Bytes of memory that the whole array takes."""
        return self.size * self.dtype.itemsize

    def __len__(self) -> int:
        return self.shape[0]

    def __iter__(self) -> Iterator[np.ndarray]:
        return (self[k] for k in range(len(self)))

    def __repr__(self) -> str:
        return f"<{self.name}: {self.dtype} {self.shape}, read state by state>"

    def __getitem__(self, key: object) -> np.ndarray:
        """Values by any index of NumPy, the first part of which chooses states.

        Raises:
            IndexError: there is no such state or place.
        """
        first, *rest = key if isinstance(key, tuple) else (key,)
        if first is Ellipsis:
            return self[(slice(None), Ellipsis, *rest)] if rest else self[:]
        if first is None:
            raise IndexError(f"{self.name}: the first index chooses states")
        inner = tuple(rest)
        chosen = np.arange(len(self))[first]
        if np.ndim(chosen) == 0:
            return np.array(self.read(int(chosen))[inner])
        if len(chosen) == 0:
            return np.empty((0, *np.empty(self.shape[1:], np.int8)[inner].shape), self.dtype)
        return np.stack([self.read(int(k))[inner] for k in chosen])

    def __array__(self, dtype: np.dtype | None = None, copy: bool | None = None) -> np.ndarray:
        if copy is False:
            raise ValueError(f"{self.name} is in a file: an array of it is a copy")
        whole = self[:]
        return whole if dtype is None else whole.astype(dtype)
