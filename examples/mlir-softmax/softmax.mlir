// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Softmax of the rows of a matrix, a warp for each row: maximum and sum are warp reductions. The host
// compares with its own results.
//
//   vx-mlir-opt --gpu-async-region --gpu-lower-to-vx-pipeline softmax.mlir |
//     mlir-runner --entry-point-result=void --shared-libs=libvx_mlir_runtime.so,libmlir_c_runner_utils.so

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @softmax(%in: memref<?x100xf32>, %out: memref<?x100xf32>) kernel {
      %c0 = arith.constant 0 : index
      %c32 = arith.constant 32 : index
      %c100 = arith.constant 100 : index
      %lowest = arith.constant 0xFF800000 : f32
      %zero = arith.constant 0.0 : f32
      %row = gpu.block_id x
      %lane32 = vx.lane_id
      %lane = arith.index_cast %lane32 : i32 to index
      // Lanes beyond the row's end do not enter the last round, so the loops diverge.
      %m = scf.for %i = %lane to %c100 step %c32 iter_args(%best = %lowest) -> f32 {
        %v = memref.load %in[%row, %i] : memref<?x100xf32>
        %b = arith.maxnumf %best, %v : f32
        scf.yield %b : f32
      }
      %max = vx.reduce max %m : f32
      %s = scf.for %i = %lane to %c100 step %c32 iter_args(%sum = %zero) -> f32 {
        %v = memref.load %in[%row, %i] : memref<?x100xf32>
        %d = arith.subf %v, %max : f32
        %e = math.exp %d : f32
        memref.store %e, %out[%row, %i] : memref<?x100xf32>
        %n = arith.addf %sum, %e : f32
        scf.yield %n : f32
      }
      %total = vx.reduce add %s : f32
      scf.for %i = %lane to %c100 step %c32 {
        %e = memref.load %out[%row, %i] : memref<?x100xf32>
        %q = arith.divf %e, %total : f32
        memref.store %q, %out[%row, %i] : memref<?x100xf32>
      }
      gpu.return
    }
  }

  // The input: some number that depends on row and column.
  func.func @value(%row: index, %column: index) -> f32 {
    %c7 = arith.constant 7 : index
    %c13 = arith.constant 13 : index
    %c31 = arith.constant 31 : index
    %a = arith.muli %row, %c7 : index
    %b = arith.muli %column, %c13 : index
    %c = arith.addi %a, %b : index
    %d = arith.remui %c, %c31 : index
    %e = arith.index_cast %d : index to i32
    %f = arith.sitofp %e : i32 to f32
    %eighth = arith.constant 0.125 : f32
    %g = arith.mulf %f, %eighth : f32
    return %g : f32
  }

  func.func @main() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %rows = arith.constant 40 : index
    %columns = arith.constant 100 : index
    %zero = arith.constant 0.0 : f32
    %host = memref.alloc() : memref<40x100xf32>
    scf.for %r = %c0 to %rows step %c1 {
      scf.for %c = %c0 to %columns step %c1 {
        %v = func.call @value(%r, %c) : (index, index) -> f32
        memref.store %v, %host[%r, %c] : memref<40x100xf32>
      }
    }
    %in = gpu.alloc () : memref<40x100xf32>
    %out = gpu.alloc () : memref<40x100xf32>
    gpu.memcpy %in, %host : memref<40x100xf32>, memref<40x100xf32>
    %din = memref.cast %in : memref<40x100xf32> to memref<?x100xf32>
    %dout = memref.cast %out : memref<40x100xf32> to memref<?x100xf32>
    gpu.launch_func @kernels::@softmax blocks in (%rows, %c1, %c1) threads in (%c32, %c1, %c1)
        args(%din : memref<?x100xf32>, %dout : memref<?x100xf32>)
    %result = memref.alloc() : memref<40x100xf32>
    gpu.memcpy %result, %out : memref<40x100xf32>, memref<40x100xf32>
    gpu.dealloc %in : memref<40x100xf32>
    gpu.dealloc %out : memref<40x100xf32>

    %worst = scf.for %r = %c0 to %rows step %c1 iter_args(%w0 = %zero) -> f32 {
      %sum = scf.for %c = %c0 to %columns step %c1 iter_args(%s = %zero) -> f32 {
        %v = memref.load %host[%r, %c] : memref<40x100xf32>
        %e = math.exp %v : f32
        %n = arith.addf %s, %e : f32
        scf.yield %n : f32
      }
      %w1 = scf.for %c = %c0 to %columns step %c1 iter_args(%w = %w0) -> f32 {
        %v = memref.load %host[%r, %c] : memref<40x100xf32>
        %e = math.exp %v : f32
        %q = arith.divf %e, %sum : f32
        %g = memref.load %result[%r, %c] : memref<40x100xf32>
        %d = arith.subf %q, %g : f32
        %a = math.absf %d : f32
        %n = arith.maximumf %w, %a : f32
        scf.yield %n : f32
      }
      scf.yield %w1 : f32
    }
    %limit = arith.constant 1.0e-6 : f32
    %good = arith.cmpf olt, %worst, %limit : f32
    scf.if %good {
      vector.print str "PASS\n"
    } else {
      vector.print str "FAIL: the largest difference is "
      vector.print %worst : f32
    }
    memref.dealloc %host : memref<40x100xf32>
    memref.dealloc %result : memref<40x100xf32>
    return
  }
}
