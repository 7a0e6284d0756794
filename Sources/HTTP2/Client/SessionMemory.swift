internal import CNghttp2

/// The memory of one nghttp2 session, in blocks that are used again.
///
/// A request costs nghttp2 half a dozen allocations that live as long as it is open. With hundreds open they miss the
/// small caches of malloc; here they come off a list. Blocks go back to the system with the session.
@safe
struct SessionMemory: ~Copyable {
    private let state: UnsafeMutablePointer<MemoryState>

    /// Makes an empty one.
    init() {
        unsafe state = .allocate(capacity: 1)
        unsafe state.initialize(to: MemoryState())
    }

    /// Everything is given back: no session may use it any more.
    deinit {
        unsafe state.pointee.freeChunks()
        unsafe state.deinitialize(count: 1)
        unsafe state.deallocate()
    }

    /// What nghttp2 takes as its allocator.
    var allocator: nghttp2_mem {
        unsafe nghttp2_mem(
            mem_user_data: UnsafeMutableRawPointer(state),
            malloc: allocate,
            free: deallocate,
            calloc: allocateZeroed,
            realloc: reallocate
        )
    }
}

/// Lists of free blocks by size class, and the chunk that new ones are cut from.
@safe
private struct MemoryState {
    /// A block's size class stands before it; this keeps blocks aligned for anything.
    static let prefixBytes = 16
    /// Sizes are rounded up to a multiple of it.
    static let stepBytes = 64
    static let classes = 16
    static let chunkBytes = 32_768

    private var free = unsafe InlineArray<17, UnsafeMutableRawPointer?>(repeating: nil)
    private var chunks: UnsafeMutableRawPointer?
    private var room: UnsafeMutableRawPointer?
    private var roomBytes = 0

    /// The size class of a request, or 0 for what the system allocates.
    static func sizeClass(_ bytes: Int) -> Int {
        let index = (bytes &+ stepBytes &- 1) / stepBytes
        return index <= classes ? max(1, index) : 0
    }

    mutating func take(_ bytes: Int) -> UnsafeMutableRawPointer? {
        let index = Self.sizeClass(bytes)
        if index > 0, let block = unsafe free[index] {
            unsafe free[index] = block.load(as: UnsafeMutableRawPointer?.self)
            return unsafe block
        }
        let size = index > 0 ? index * Self.stepBytes : bytes
        guard let start = unsafe index > 0 ? cut(Self.prefixBytes + size) : systemBlock(Self.prefixBytes + size) else {
            return nil
        }
        unsafe start.storeBytes(of: index, as: Int.self)
        unsafe start.storeBytes(of: size, toByteOffset: 8, as: Int.self)
        return unsafe start + Self.prefixBytes
    }

    mutating func give(_ block: UnsafeMutableRawPointer) {
        let index = unsafe (block - Self.prefixBytes).load(as: Int.self)
        guard index > 0 else { return unsafe (block - Self.prefixBytes).deallocate() }
        unsafe block.storeBytes(of: free[index], as: UnsafeMutableRawPointer?.self)
        unsafe free[index] = block
    }

    /// How many bytes a block holds.
    static func size(_ block: UnsafeMutableRawPointer) -> Int {
        unsafe (block - prefixBytes).load(fromByteOffset: 8, as: Int.self)
    }

    private func systemBlock(_ bytes: Int) -> UnsafeMutableRawPointer? {
        .allocate(byteCount: bytes, alignment: 16)
    }

    private mutating func cut(_ bytes: Int) -> UnsafeMutableRawPointer? {
        if roomBytes < bytes {
            let chunk = UnsafeMutableRawPointer.allocate(byteCount: Self.chunkBytes, alignment: 16)
            unsafe chunk.storeBytes(of: chunks, as: UnsafeMutableRawPointer?.self)
            unsafe chunks = chunk
            unsafe room = chunk + Self.prefixBytes
            roomBytes = Self.chunkBytes - Self.prefixBytes
        }
        defer {
            unsafe room = room.map { unsafe $0 + bytes }
            roomBytes -= bytes
        }
        return unsafe room
    }

    mutating func freeChunks() {
        while let chunk = unsafe chunks {
            unsafe chunks = chunk.load(as: UnsafeMutableRawPointer?.self)
            unsafe chunk.deallocate()
        }
    }
}

private func state(_ user: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<MemoryState>? {
    unsafe user?.assumingMemoryBound(to: MemoryState.self)
}

private func allocate(_ bytes: Int, _ user: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    unsafe state(user)?.pointee.take(bytes)
}

private func deallocate(_ block: UnsafeMutableRawPointer?, _ user: UnsafeMutableRawPointer?) {
    guard let block = unsafe block else { return }
    unsafe state(user)?.pointee.give(block)
}

private func allocateZeroed(
    _ count: Int,
    _ bytes: Int,
    _ user: UnsafeMutableRawPointer?
) -> UnsafeMutableRawPointer? {
    let (total, overflows) = count.multipliedReportingOverflow(by: bytes)
    guard !overflows, let block = unsafe allocate(total, user) else { return nil }
    unsafe block.initializeMemory(as: UInt8.self, repeating: 0, count: total)
    return unsafe block
}

private func reallocate(
    _ block: UnsafeMutableRawPointer?,
    _ bytes: Int,
    _ user: UnsafeMutableRawPointer?
) -> UnsafeMutableRawPointer? {
    guard let block = unsafe block else { return unsafe allocate(bytes, user) }
    let size = unsafe MemoryState.size(block)
    if bytes <= size { return unsafe block }
    guard let larger = unsafe allocate(bytes, user) else { return nil }
    unsafe larger.copyMemory(from: block, byteCount: size)
    unsafe deallocate(block, user)
    return unsafe larger
}
