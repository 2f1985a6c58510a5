! umat44: neo-Hookean rubber from the deformation gradient (IHYPER = 1), for solids. cm: K, G.
! s = G/J (b - 1) + (K - 2G/3) log(J)/J 1, with b = F F' and J = det F.
subroutine umat44(cm, eps, sig, epsp, hsv, dt1, capa, etype, tt, temper, failel, crv, nnpcrv, cma, qmat, elsiz, &
                  idele, reject)
  implicit none
  real(8) :: cm(*), eps(6), sig(6), epsp, hsv(*), dt1, capa, tt, temper, crv(*), cma(*), qmat(3, 3), elsiz
  character(5) :: etype
  integer(4) :: nnpcrv(*)
  integer(8) :: idele
  logical(4) :: failel, reject
  integer, parameter :: nhv = 0  ! NHV of the card: F is behind these, by columns
  real(8) :: f(3, 3), b(3, 3), j, pressure

  f = reshape(hsv(nhv + 1:nhv + 9), [3, 3])
  b = matmul(f, transpose(f))
  j = f(1, 1)*(f(2, 2)*f(3, 3) - f(2, 3)*f(3, 2)) - f(1, 2)*(f(2, 1)*f(3, 3) - f(2, 3)*f(3, 1)) &
      + f(1, 3)*(f(2, 1)*f(3, 2) - f(2, 2)*f(3, 1))
  pressure = (cm(1) - 2*cm(2)/3)*log(j)/j
  sig(1) = cm(2)/j*(b(1, 1) - 1) + pressure
  sig(2) = cm(2)/j*(b(2, 2) - 1) + pressure
  sig(3) = cm(2)/j*(b(3, 3) - 1) + pressure
  sig(4) = cm(2)/j*b(1, 2)
  sig(5) = cm(2)/j*b(2, 3)
  sig(6) = cm(2)/j*b(3, 1)
end subroutine
